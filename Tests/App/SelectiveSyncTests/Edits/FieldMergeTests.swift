import PushDispatch
import Testing

@testable import SelectiveSync

struct FieldMergeTests {
    private func merge(
        base: JSONValue?, mine: JSONValue, theirs: JSONValue?, sent: JSONValue? = nil
    ) -> (field: JSONValue?, base: JSONValue?, isConflict: Bool) {
        let merge = FieldMerge(
            base: base.map { ["Name": $0] } ?? [:], mine: ["Name": mine], theirs: theirs.map { ["Name": $0] } ?? [:],
            sent: sent.map { ["Name": $0] })
        return (merge.fields["Name"], merge.base["Name"], !merge.conflicts.isEmpty)
    }

    @Test(
        arguments: [
            ("A", "A", "A", "A"), ("A", "B", "A", "B"), ("A", "A", "C", "C"), ("A", "B", "B", "B"),
            (.null, "B", .null, "B"), ("A", .null, "A", .null), (.integer(1), "B", .number(1), "B"),
        ] as [(JSONValue, JSONValue, JSONValue, JSONValue)])
    func `a field that one side changed has its value, and equal changes agree`(
        base: JSONValue, mine: JSONValue, theirs: JSONValue, merged: JSONValue
    ) {
        let result = merge(base: base, mine: mine, theirs: theirs)
        #expect(result.field == merged && !result.isConflict)
        #expect(result.base == theirs)
    }

    @Test func `a field that both changed keeps the user's value and its base`() {
        let result = merge(base: "A", mine: "B", theirs: "C")
        #expect(result.field == "B" && result.base == "A" && result.isConflict)
    }

    @Test func `what the user sent is not a change by somebody else`() {
        let later = merge(base: "A", mine: "C", theirs: "B", sent: "B")
        #expect(later.field == "C" && later.base == "B" && !later.isConflict)
        let undone = merge(base: "A", mine: "A", theirs: "B", sent: "B")
        #expect(undone.field == "A" && undone.base == "B" && !undone.isConflict)
        #expect(merge(base: "A", mine: "C", theirs: "X", sent: "B").isConflict)
    }

    @Test func `a field that the server did not return is not changed by it`() {
        let edited = merge(base: "A", mine: "B", theirs: nil)
        #expect(edited.field == "B" && edited.base == "A" && !edited.isConflict)
        #expect(merge(base: "A", mine: "A", theirs: nil).field == nil)
    }

    @Test func `without a base a difference is a conflict`() {
        #expect(merge(base: nil, mine: .null, theirs: "C").isConflict)
        #expect(!merge(base: nil, mine: "B", theirs: .null).isConflict)
        #expect(!merge(base: nil, mine: "C", theirs: "C").isConflict)
    }

    @Test func `fields that the server sets, and those of related records, are never in conflict`() {
        let merge = FieldMerge(
            base: ["SystemModstamp": "1", "Owner": ["Name": "a"]],
            mine: ["SystemModstamp": "2", "Owner": ["Name": "b"]],
            theirs: ["SystemModstamp": "3", "Owner": ["Name": "c"]])
        #expect(merge.conflicts.isEmpty && merge.fields == ["SystemModstamp": "3", "Owner": ["Name": "c"]])
    }

    /// Every combination of three values for base, mine, theirs and sent.
    @Test func `no value of the user is lost, and none is taken from neither side`() {
        let values: [JSONValue] = ["A", "B", .null]
        for base in values {
            for mine in values {
                for theirs in values {
                    for sent in values.map(Optional.some) + [nil] {
                        let result = merge(base: base, mine: mine, theirs: theirs, sent: sent)
                        let from = sent == theirs ? sent : base
                        #expect(result.field == (mine == from ? theirs : mine))
                        #expect(result.isConflict == (mine != from && theirs != from && mine != theirs))
                    }
                }
            }
        }
    }
}
