import Foundation
import PushDispatch
import Testing

struct PendingListTests {
    private func hint(_ numbers: Int..., object: String = "Account") -> Hint {
        Hint(type: "T", object: object, records: numbers.map(RecordID.test))
    }

    @Test func `a record waits once, for its object, oldest first`() {
        var list = PendingList()
        list.keep(hint(1, 2))
        list.keep(hint(3, object: "Interaction"))
        list.keep(hint(1))
        #expect(list.pending(of: "Account").records == [.test(2), .test(1)])
        #expect(list.pending(of: "Interaction").records == [.test(3)])
        #expect(list.count == 3)
    }

    @Test func `a record kept anew after the mark is not forgotten`() {
        var list = PendingList()
        list.keep(hint(1, 2))
        let read = list.pending(of: "Account")
        list.keep(hint(2))
        list.forget(read.records, of: "Account", upTo: read.mark)
        #expect(list.pending(of: "Account").records == [.test(2)])
        #expect(list.count == 1)
    }

    @Test func `a full list turns into one wish for a regular sync`() {
        var list = PendingList(maximumRecords: 3)
        list.keep(hint(1, 2, 3))
        #expect(!list.needsRegularSync)
        list.keep(hint(4))
        #expect(list.needsRegularSync && list.count == 0)
        list.keep(hint(5))
        #expect(list.pending(of: "Account").records.isEmpty)
        list.regularSyncFinished()
        list.keep(hint(6))
        #expect(list.pending(of: "Account").records == [.test(6)])
    }

    @Test func `a list survives being written and read`() throws {
        var list = PendingList()
        list.keep(hint(1, 2))
        #expect(try JSONDecoder().decode(PendingList.self, from: JSONEncoder().encode(list)) == list)
    }
}
