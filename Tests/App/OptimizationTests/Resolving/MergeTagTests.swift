import PushDispatch
import Testing

@testable import Optimization

/// docs/reference/personalization.md 13.3.
struct MergeTagTests {
    private let profile = OptimizationProfile([
        "id": "p1", "audiences": ["aud-1"], "random": 0.42,
        "traits": [
            "first_name": "Kim", "age": 30, "whole": .number(7), "zero": 0, "no": false, "yes": true, "empty": "",
            "list": [1], "a": ["b_c": "deep"],
        ],
        "location": ["city": "Berlin"],
    ])

    private func value(_ id: String, fallback: JSONValue = "you") -> String? {
        let tag = ContentEntry(
            id: "tag", contentType: "nt_mergetag",
            fields: ["nt_name": "Tag", "nt_fallback": fallback, "nt_mergetag_id": .string(id)])
        return MergeTags.value(of: tag, profile: profile)
    }

    @Test func `a path is looked up with dots growing from the left`() {
        #expect(value("traits_first_name") == "Kim")
        #expect(value("location_city") == "Berlin")
        #expect(value("id") == "p1")
        #expect(value("traits_a_b_c") == "deep")
        #expect(value("audiences_0") == "aud-1")
        #expect(value("traits_first_surname") == "you")
    }

    @Test func `the first path with a value wins`() throws {
        let profile = OptimizationProfile([
            "id": "p1", "a_b_c": "whole", "a": ["b_c": "first", "b": ["c": "second"]], "x_y": "", "x": ["y": "later"],
            "m_n": [1], "m": ["n": "hidden"],
        ])
        func value(_ id: String) -> String? {
            MergeTags.value(
                of: MergeTagEntry(entryID: "t", mergeTagID: id, name: "", fallback: nil), profile: profile)
        }
        #expect(value("a_b_c") == "whole" && value("x_y") == "later")
        // The list is the first value; it is not a text.
        #expect(value("m_n") == nil)
    }

    @Test func `numbers and truth values become texts, and 0, false and empty texts are missing`() {
        #expect(value("traits_age") == "30" && value("traits_whole") == "7" && value("random") == "0.42")
        #expect(value("traits_yes") == "true")
        for id in ["traits_zero", "traits_no", "traits_empty", "traits_list", "traits", "traits_missing", ""] {
            #expect(value(id) == (id.isEmpty ? nil : "you"), "\(id)")
        }
    }

    @Test func `without a profile it is the fallback, without a fallback nothing`() {
        let tag = ContentEntry(
            id: "tag", contentType: "nt_mergetag", fields: ["nt_fallback": "you", "nt_mergetag_id": "traits_x"])
        #expect(MergeTags.value(of: tag, profile: nil) == "you")
        #expect(value("traits_x", fallback: .null) == nil)
        #expect(MergeTags.value(of: TestEntries.hero, profile: profile) == nil)
        #expect(MergeTags.value(of: ContentEntry([:]), profile: profile) == nil)
    }

    @Test func `a hostile path ends at once`() {
        #expect(value(String(repeating: "_", count: 100_000)) == "you")
        #expect(value("traits" + String(repeating: "_a", count: 50_000)) == "you")
    }
}
