package discovery_test

import "testing"

// FuzzDocuments lets both clients read the same documents of /api and /apis. Either both return the
// same, or both fail.
func FuzzDocuments(f *testing.F) {
	for _, aggregated := range []bool{true, false} {
		f.Add([]byte(coreAggregated), []byte(groupsAggregated), aggregated)
		f.Add([]byte(coreVersions), []byte(groups), aggregated)
		f.Add([]byte(`{"items":null}`), []byte(staleAggregated), aggregated)
		f.Add([]byte(`{"items":[{"metadata":{"name":"\u0061"},"versions":[{"version":"v1","version":"v2"}]}]}`), []byte(`null`), aggregated)
		f.Add([]byte(`{"ITEMS":[{"versions":null}]}`), []byte("{\"items\":[{\"metadata\":{\"name\":\"\xff\"}}]}"), aggregated)
		f.Add([]byte(``), []byte(`{"items":[]} x`), aggregated)
	}
	f.Fuzz(func(t *testing.T, core, named []byte, aggregated bool) {
		contentType := legacyJSON
		if aggregated {
			contentType = aggregatedJSON
		}
		s := &server{answers: map[string]answer{
			"/api":  {contentType: contentType, body: string(core)},
			"/apis": {contentType: contentType, body: string(named)},
		}}
		compare(t, s, form{}, "groups and maybe resources")
		if aggregated {
			compare(t, s, form{}, "preferred")
		}
	})
}
