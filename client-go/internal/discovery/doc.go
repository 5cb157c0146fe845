// Package discovery contains what package discovery of this module does not have as aliases. In client-go, all
// discovery clients also return the OpenAPI v2 document of a server (OpenAPISchema), whose type every program with
// a clientset then links. The discovery clients of listwatch do not, so the interfaces here are wider.
//
// [Narrow] and [NarrowCached] make discovery clients of listwatch out of them, for listwatch's functions;
// [DiscoveryClient] wraps one in the other direction.
package discovery
