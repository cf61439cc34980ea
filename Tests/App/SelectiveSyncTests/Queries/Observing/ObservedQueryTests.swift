import PushDispatch
import TestSeeds
import Testing

@testable import SelectiveSync

struct ObservedQueryTests {
    private func record(_ number: Int, _ name: String) -> LocalRecord {
        LocalRecord(.server(.test(number)), fields: ["Name": .string(name)])
    }

    private func version(_ number: Int, _ name: String?) -> RecordVersion {
        RecordVersion(.server(.test(number)), name.map { record(number, $0) })
    }

    private func names(_ effect: FollowerStep<RecordList>) -> [String]? {
        guard case .changed(let list) = effect else { return nil }
        return list.compactMap { $0.fields["Name"]?.string }
    }

    private func isFetch(_ effect: FollowerStep<RecordList>) -> Bool {
        if case .fetch = effect { true } else { false }
    }

    /// The names a, c and e, of which the result has `limit`.
    private func observed(limit: Int) -> ObservedQuery {
        var query = RecordQuery("Account", where: RecordField("Name") < "x", order: [.ascending("Name")])
        query.limit = limit
        var observed = ObservedQuery(query, search: [])
        _ = observed.load(query.page(of: [record(1, "a"), record(2, "c"), record(3, "e")], search: []))
        return observed
    }

    @Test func `a change outside of the result has no effect`() {
        var observed = observed(limit: 2)
        for version in [version(9, "z"), version(3, "f"), version(3, nil), version(2, "c")] {
            guard case .nothing = observed.take([version]) else {
                Issue.record("\(version)")
                continue
            }
        }
    }

    @Test func `a record comes, moves, changes and goes without a fetch`() {
        var observed = observed(limit: 10)
        #expect(names(observed.take([version(9, "b")])) == ["a", "b", "c", "e"])
        #expect(names(observed.take([version(1, "d")])) == ["b", "c", "d", "e"])
        #expect(names(observed.take([version(9, "z")])) == ["c", "d", "e"])
        #expect(names(observed.take([version(2, nil), version(3, nil)])) == ["d"])
    }

    @Test func `a full result pushes its last record out`() {
        var observed = observed(limit: 2)
        #expect(names(observed.take([version(9, "b")])) == ["a", "b"])
        #expect(names(observed.take([version(9, "aa")])) == ["a", "aa"])
    }

    @Test func `a gap at the end of a full result is fetched`() {
        for change in [version(2, nil), version(1, "z"), version(1, "w")] {
            var observed = observed(limit: 2)
            #expect(isFetch(observed.take([change])), "\(change)")
        }
    }

    @Test func `a result with an offset is fetched`() {
        var query = RecordQuery("Account")
        query.offset = 1
        var observed = ObservedQuery(query, search: [])
        _ = observed.load(RecordPage([record(1, "a")], next: nil))
        #expect(isFetch(observed.take([version(0, "z")])))
    }

    @Test func `an equal result is not delivered again, also after a fetch`() {
        var observed = observed(limit: 2)
        #expect(isFetch(observed.take([version(2, nil)])))
        let same = observed.query.page(of: [record(1, "a"), record(2, "c")], search: [])
        guard case .nothing = observed.load(same) else {
            Issue.record("delivered again")
            return
        }
        #expect(names(observed.load(RecordPage([record(1, "a")], next: nil))) == ["a"])
    }

    /// Random changes: what is delivered is always the result of the whole query.
    @Test(arguments: TestSeed.all(0..<200))
    func `the result is that of the query`(seed: TestSeed) {
        var generator = seed.generator
        let isDescending = Bool.random(using: &generator)
        let field = RecordField("Name")
        var query = RecordQuery(
            "Account", where: field != "b",
            order: [isDescending ? .descending(field) : .ascending(field)],
            limit: Int.random(in: 0..<6, using: &generator))
        var records: [RecordKey: LocalRecord] = [:]
        func change() -> RecordVersion {
            let number = Int.random(in: 0..<8, using: &generator)
            let name = ["a", "b", "c", "d", nil].randomElement(using: &generator)!
            let version = version(number, name)
            records[version.key] = version.record
            return version
        }
        for _ in 0..<6 { _ = change() }
        if Bool.random(using: &generator), let first = query.page(of: records.values, search: []).records.first {
            query.after = RecordPlace(behind: first, in: query)
        }
        var observed = ObservedQuery(query, search: [])
        var shown: [LocalRecord] = []
        func show(_ effect: FollowerStep<RecordList>) {
            switch effect {
            case .nothing: break
            case .changed(let list):
                #expect(Array(list) != shown || shown.isEmpty, "\(seed)")
                shown = Array(list)
            case .fetch: show(observed.load(query.page(of: records.values, search: [])))
            }
        }
        show(observed.load(query.page(of: records.values, search: [])))
        for _ in 0..<40 {
            var versions: [RecordKey: RecordVersion] = [:]
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let version = change()
                versions[version.key] = version
            }
            show(observed.take(Array(versions.values)))
            #expect(shown == query.page(of: records.values, search: []).records, "\(seed)")
        }
    }

    @Test func `an observed record follows its key`() throws {
        /// The record; nil if nothing is delivered.
        func value(_ step: FollowerStep<LocalRecord?>) -> LocalRecord?? {
            if case .changed(let record) = step { .some(record) } else { nil }
        }
        let local = RecordKey.local(7)
        var observed = ObservedRecord(local)
        #expect(value(observed.load(nil)) == .some(nil))
        let created = LocalRecord(local, fields: ["Name": "a"], changes: .created)
        #expect(value(observed.take([RecordVersion(local, created)])) == .some(created))
        #expect(value(observed.take([RecordVersion(local, created)])) == nil)
        var uploaded = created
        uploaded.key = .server(.test(1))
        let renamed = [RecordVersion(local, nil), RecordVersion(uploaded.key, uploaded)]
        #expect(value(observed.take(renamed)) == .some(uploaded))
        #expect(value(observed.take([version(2, "other")])) == nil)
        #expect(value(observed.take([RecordVersion(uploaded.key, nil)])) == .some(nil))
    }
}
