import PushDispatch
import TestSeeds
import Testing

@testable import SelectiveSync

struct RowListTests {
    private static let query = RecordQuery("Account", order: [.ascending("Name")])

    private func row(_ number: Int) -> ObservedRow {
        let record = LocalRecord(.server(.test(number)), fields: ["Name": .integer(Int64(number))])
        return ObservedRow(record, RowListTests.query)
    }

    private func contents(_ list: RowList) -> [ObjectIdentifier] { list.joined.map { ObjectIdentifier($0) } }

    @Test(arguments: TestSeed.all(0..<20))
    func `it has what an array has after the same changes`(seed: TestSeed) {
        var generator = seed.generator
        var rows = (0..<Int.random(in: 0..<2_000, using: &generator)).map { row($0) }
        var list = RowList(rows)
        for step in 0..<1_500 {
            // Many changes at one place, so that parts are split and emptied.
            let place = step < 1_000 ? rows.count / 2 : Int.random(in: 0...rows.count, using: &generator)
            if rows.isEmpty || Int.random(in: 0..<10, using: &generator) < (step < 700 ? 8 : 2) {
                let new = row(10_000 + step)
                rows.insert(new, at: place)
                list.insert(new, at: place)
            } else {
                let position = min(place, rows.count - 1)
                #expect(list.remove(at: position) === rows.remove(at: position))
            }
        }
        #expect(list.count == rows.count)
        #expect(contents(list) == rows.map { ObjectIdentifier($0) })
        for (position, row) in rows.enumerated() where list[position] !== row {
            Issue.record("another row at \(position)")
            break
        }
        #expect(list.parts.allSatisfy { !$0.isEmpty && $0.count <= 2 * RowList.partSize })
        // The same rows in other parts.
        #expect(list.hasSameRecords(as: RowList(rows)))
        if !rows.isEmpty { #expect(!list.hasSameRecords(as: RowList(Array(rows.dropLast())))) }
    }

    @Test func `a changed copy shares all parts but one`() {
        let before = RowList((0..<100_000).map { row($0) })
        var after = before
        after.remove(at: 50_000)
        after.insert(row(50_000), at: 50_000)
        let shared = zip(before.parts, after.parts).count { RowList.isShared($0, $1) }
        #expect(shared == before.parts.count - 1)
        #expect(before.hasSameRecords(as: after), "an equal record in the place of the former one")
        after.remove(at: 70_000)
        after.insert(row(7), at: 70_000)
        #expect(!before.hasSameRecords(as: after))
    }

    @Test func `a place is found by halves`() {
        let list = RowList((0..<1_000).map { row($0) })
        for wanted in [0, 1, 255, 256, 257, 999, 1_000] {
            var compared = 0
            let position = list.firstPosition { row in
                compared += 1
                guard case .integer(let number)? = row.record.fields["Name"] else { return false }
                return number < wanted
            }
            #expect(position == wanted && compared <= 10)
        }
    }

    @Test func `an empty list takes rows and gives them back`() {
        var list = RowList([])
        #expect(list.count == 0 && list.hasSameRecords(as: RowList([])))
        list.insert(row(1), at: 0)
        list.insert(row(2), at: 1)
        list.insert(row(0), at: 0)
        #expect(list.joined.map(\.record.key) == [0, 1, 2].map { .server(.test($0)) })
        for _ in 0..<3 { list.remove(at: 0) }
        #expect(list.count == 0 && list.parts.isEmpty)
    }
}
