import PushDispatch
@testable import SelectiveSync
import Testing

/// Records that change between two pages. They may show their new date at their former place.
struct ChangesWhileReadingTests {
    /// Longer than the overlap before the date of the server's first answer.
    private static let changedLongBefore: Int64 = 9_000
    private static let firstAnswer: Int64 = 10_000

    private func at(_ seconds: Int64) -> ServerDate { ServerDate(millisecondsSince1970: 1_000 * seconds) }

    private func record(_ number: Int, _ seconds: Int64) -> ServerRecord {
        ServerRecord(id: .test(number), fields: ["SystemModstamp": .string(at(seconds).description)])
    }

    private func page(_ records: ServerRecord..., next: String) -> QueryPage {
        QueryPage(records: records, next: next, serverDate: at(Self.firstAnswer))
    }

    private func pass(_ progress: SyncProgress = SyncProgress()) -> RegularSyncPass {
        RegularSyncPass(
            SyncObject("Account", fields: []), progress, pending: .start, policy: RegularSyncPolicy(),
            now: at(Self.firstAnswer))
    }

    /// Records 2, 3 and 4 have the date 20 when the first page is made, and record 4 is not on the first two.
    ///
    /// - Parameter shown: The date of record 3 on the second page, in seconds.
    @Test(
        arguments: [
            // It has changed since, in a transaction that began after the first page or up to ten minutes before it.
            (10_050, 10), (firstAnswer, 10), (9_400, 10),
            // It was not among those of the date 20, so these have all arrived.
            (9_399, 20), (changedLongBefore, 20),
        ] as [(Int64, Int64)])
    func `a pass whose pages are forgotten starts again where all records have arrived`(
        shown: Int64, expected: Int64
    ) throws {
        var pass = pass()
        _ = try pass.received(page(record(1, 10), record(2, 20), next: "a"))
        #expect(pass.progress.mark == at(10))
        _ = try pass.received(page(record(3, shown), next: "b"))
        let isRestarted = pass.nextRefused()
        #expect(isRestarted)
        #expect(pass.next == .query(after: at(expected), next: nil))
    }

    @Test(arguments: [(10_050, 8_500), (9_400, 8_500), (9_399, 8_600)] as [(Int64, Int64)])
    func `a list whose pages are forgotten starts again where all records have arrived`(
        shown: Int64, expected: Int64
    ) throws {
        var progress = SyncProgress()
        progress.mark = at(Self.changedLongBefore)
        progress.scope = SyncObject("Account", fields: []).scope
        var pass = pass(progress)
        _ = try pass.received(list: page(record(1, 8_500), record(2, 8_600), next: "a"))
        _ = try pass.received(list: page(record(3, shown), next: "b"))
        let isRestarted = pass.nextRefused()
        #expect(isRestarted)
        #expect(pass.next == .list(after: at(expected), next: nil))
    }

    @Test func `the last page moves the mark to the first answer, whichever dates it shows`() throws {
        var pass = pass()
        _ = try pass.received(page(record(1, 10), record(2, 20), next: "a"))
        _ = try pass.received(
            QueryPage(records: [record(3, 10_050), record(4, 20)], serverDate: at(Self.firstAnswer)))
        #expect(pass.progress.mark == at(Self.firstAnswer))
    }
}
