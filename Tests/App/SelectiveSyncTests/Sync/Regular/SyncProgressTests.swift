import Foundation
import PushDispatch
import Testing

@testable import SelectiveSync

/// The stored form of the progress.
struct SyncProgressTests {
    private static func date(_ milliseconds: Int64) -> String { #"{"millisecondsSince1970":\#(milliseconds)}"# }

    private static func read(_ json: String) throws -> SyncProgress {
        try JSONDecoder().decode(SyncProgress.self, from: Data(json.utf8))
    }

    /// As the version before this one wrote it.
    static func former(_ rest: String, mark: Int64 = 40) -> String {
        #"""
        {"state":"failed","mark":\#(date(mark)),"deletedCovered":\#(date(30)),"pass":{"pending":{"number":3},
        "began":\#(date(50)),"pages":2,"isFull":false,"wantsGhosts":true,"isSorted":true,"serverDate":\#(date(60)),\#(rest)}}
        """#
    }

    @Test func `a pass that an earlier version interrupted on a page goes on there`() throws {
        let progress = try Self.read(
            Self.former(
                #""phase":"query","next":"p3","landmark":"p2","received":6,"refusals":1,"highest":\#(Self.date(44)),"#
                    + #""covered":\#(Self.date(43))"#))
        let pass = try #require(progress.pass)
        guard case .query(let pages) = pass.step else { return #expect(Bool(false), "\(pass.step)") }
        #expect(pages.place == .next(PageChain.Link(address: "p3", received: 6, landmark: "p2")))
        #expect(pages.read == 2 && pages.refusals == 1)
        #expect(
            pages.dates
                == .ascending(
                    highest: ServerDate(millisecondsSince1970: 44), covered: ServerDate(millisecondsSince1970: 43)))
        #expect(pass.wantsComparison && !pass.isFull && pass.pending == PendingMark(number: 3))
        let next = RegularSyncPass(
            SyncObject("Account", fields: []), progress, pending: .start, policy: RegularSyncPolicy(),
            now: ServerDate(millisecondsSince1970: 70))
        #expect(next.isResumed)
        #expect(next.next == .query(after: ServerDate(millisecondsSince1970: 40), next: "p3"))
    }

    @Test func `the other steps of an earlier version are read`() throws {
        let unsorted = Self.former(#""phase":"query","highest":\#(Self.date(44))"#)
            .replacingOccurrences(of: #""isSorted":true"#, with: #""isSorted":false"#)
        guard case .query(let pages)? = try Self.read(unsorted).pass?.step else { return #expect(Bool(false)) }
        #expect(pages.dates == .mixed(highest: ServerDate(millisecondsSince1970: 44)) && pages.place == .first)
        #expect(try Self.read(Self.former(#""phase":"deletions""#)).pass?.step == .deletions)
        #expect(
            try Self.read(Self.former(#""phase":"ghosts","ghostCursor":"\#(RecordID.test(7))""#)).pass?.step
                == .compare(after: .test(7)))
        #expect(try Self.read(Self.former(#""phase":"ghosts""#)).pass?.step == .compare(after: nil))
        #expect(throws: DecodingError.self) { try Self.read(Self.former(#""phase":"other""#)) }
    }

    @Test func `the records of an earlier version are fetched once more, because their fields are not known`() throws {
        var progress = try Self.read(Self.former(#""phase":"deletions""#))
        progress.pass = nil
        let pass = RegularSyncPass(
            SyncObject("Account", fields: []), progress, pending: .start, policy: RegularSyncPolicy(),
            now: ServerDate(millisecondsSince1970: 70))
        #expect(!pass.isResumed && pass.next == .query(after: nil, next: nil))
    }

    @Test func `each step is read as it was written`() throws {
        var listing = SyncProgress.Listing(after: nil, mark: ServerDate(millisecondsSince1970: 9))
        listing.pages.saw(ServerDate(millisecondsSince1970: 5), isPlace: true)
        var pages = PageChain()
        pages.place = .next(PageChain.Link(address: "p", received: 4, landmark: nil))
        pages.dates = .mixed(highest: ServerDate(millisecondsSince1970: 5))
        for step in [
            SyncProgress.Step.list(listing), .query(PageChain()), .query(pages), .departures, .deletions,
            .compare(after: nil), .compare(after: .test(1)),
        ] {
            var progress = SyncProgress()
            progress.scope = SyncScope(fields: ["Id"], filter: "OwnerId = 'x'")
            progress.departuresCovered = ServerDate(millisecondsSince1970: 8)
            progress.pass = SyncProgress.Pass(
                pending: .start, began: ServerDate(millisecondsSince1970: 1), wantsComparison: true, step: step)
            #expect(try JSONDecoder().decode(SyncProgress.self, from: JSONEncoder().encode(progress)) == progress)
        }
    }
}
