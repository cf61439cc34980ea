import Testing

@testable import APNSPayload

struct KeySetTests {
    @Test func `sets intersect in a key or a fact`() {
        let set = KeySet([.alert, .badge], .nullMember)
        #expect(set.intersects([.badge]))
        #expect(set.intersects(.nullMember))
        #expect(!set.intersects([.sound]))
        #expect(!set.intersects(.repeatedKey))
        #expect(!set.intersects([]))
    }

    @Test func `a union has the keys and facts of both`() {
        let union = KeySet([.alert], .nullMember).union(KeySet([.bodyLocArgs], .repeatedKey))
        #expect(union == KeySet([.alert, .bodyLocArgs], [.nullMember, .repeatedKey]))
        #expect(union.contains(.bodyLocArgs) && union.contains(.repeatedKey) && !union.contains(.badge))
    }

    @Test func `common keys are in the order of the table`() {
        let keys = KeySet([.sound, .alert, .badge]).common(with: [.badge, .sound, .event])
        #expect(Array(keys) == [.badge, .sound])
    }
}
