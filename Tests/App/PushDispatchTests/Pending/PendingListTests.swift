import Foundation
import PushDispatch
import Testing

struct PendingListTests {
    private func hint(_ numbers: Int..., object: String = "Account") -> Hint {
        Hint(type: "T", object: object, records: numbers.map(RecordID.test))
    }

    private func waiting(_ list: PendingList, of object: String = "Account") -> [RecordID] {
        list.pending(of: object).map(\.record)
    }

    @Test func `a record waits once, for its object, oldest first`() {
        var list = PendingList()
        list.keep(hint(1, 2))
        list.keep(hint(3, object: "Interaction"))
        list.keep(hint(1))
        #expect(waiting(list) == [.test(2), .test(1)])
        #expect(waiting(list, of: "Interaction") == [.test(3)])
        #expect(list.count == 3)
    }

    @Test func `only records kept after a mark are read again`() {
        var list = PendingList()
        let mark = list.keep(hint(1, 2))
        list.keep(hint(2))
        #expect(list.pending(of: "Account", after: mark).map(\.record) == [.test(2)])
    }

    @Test func `a record with a newer hint than was read is not forgotten`() {
        var list = PendingList()
        list.keep(hint(1, 2))
        let read = list.pending(of: "Account")
        list.keep(hint(2))
        list.forget(read, of: "Account")
        #expect(waiting(list) == [.test(2)])
        #expect(list.count == 1)
    }

    @Test func `a full list replaces the records of the largest object with a regular sync`() {
        var list = PendingList(maximumRecords: 3)
        list.keep(hint(9, object: "Interaction"))
        #expect(list.keep(hint(1, 2)) != nil)
        #expect(list.objectsToSync.isEmpty)
        #expect(list.keep(hint(3)) == nil)
        #expect(list.objectsToSync == ["Account"] && list.count == 1)
        #expect(waiting(list, of: "Interaction") == [.test(9)])
        list.keep(hint(5))
        #expect(waiting(list) == [.test(5)])
    }

    @Test func `only a regular sync that began after the list was full ends the need for one`() {
        var list = PendingList(maximumRecords: 1)
        let before = list.mark
        list.keep(hint(1, 2))
        list.regularSyncFinished(of: "Account", began: before)
        #expect(list.objectsToSync == ["Account"])
        list.regularSyncFinished(of: "Account", began: list.mark)
        #expect(list.objectsToSync.isEmpty)
    }

    @Test func `a log-out removes hints and needed syncs`() {
        var list = PendingList(maximumRecords: 2)
        list.keep(hint(1, 2, 3))
        list.keep(hint(4))
        list.forgetAll()
        #expect(list.count == 0 && list.objectsToSync.isEmpty && waiting(list).isEmpty)
    }

    @Test func `records behind the mark do not count, are not replaced and stay until they are fetched`() {
        var list = PendingList(maximumRecords: 2)
        list.keepBehindMark([.test(1), .test(2)], of: "Account")
        #expect(list.keep(hint(2, 3, 4)) != nil)
        #expect(list.count == 2)
        list.keepBehindMark([.test(3)], of: "Account")
        #expect(list.count == 1)
        #expect(list.keep(hint(5, 6)) == nil)
        #expect(list.count == 0 && list.objectsToSync == ["Account"])
        list.forgetAll()
        #expect(waiting(list) == [.test(1), .test(2), .test(3)])
        list.forget(list.pending(of: "Account"), of: "Account")
        #expect(list.count == 0 && waiting(list).isEmpty)
        list.keepBehindMark([.test(1)], of: "Account")
        list.removeAll()
        #expect(list.keep(hint(1, 2, 3)) == nil)
        #expect(waiting(list).isEmpty)
    }

    @Test func `a list of an earlier version, without records behind the mark, is read`() throws {
        let text = #"{"maximumRecords":3,"count":0,"mark":{"number":4},"marks":{},"overflows":{}}"#
        #expect(try JSONDecoder().decode(PendingList.self, from: Data(text.utf8)).mark.number == 4)
    }

    @Test func `a list is coded without loss`() throws {
        var list = PendingList()
        list.keep(hint(1, 2))
        list.keepBehindMark([.test(2)], of: "Account")
        #expect(try JSONDecoder().decode(PendingList.self, from: JSONEncoder().encode(list)) == list)
    }
}
