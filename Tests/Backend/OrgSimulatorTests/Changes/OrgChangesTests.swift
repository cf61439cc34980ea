import APNSModel
import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing
import ServiceHost

/// What the org remembers of its changes.
struct OrgChangesTests {
    private let me = RecordID.user(1)
    private let now = ServerDate.start

    private func account(_ org: inout Org) throws -> RecordID {
        try org.create("Account", ["Name": "A", "Type": "Prospect"], by: me, at: now)
    }

    @Test func `changes have consecutive numbers, and those of a record are found`() throws {
        var org = Org()
        let (first, second) = (try account(&org), try account(&org))
        for number in 1...3 { _ = try org.update(first, ["Name": .string("A\(number)")], by: me, at: now) }
        _ = try org.update(second, ["Name": "B"], by: me, from: .agent, at: now)
        #expect(org.changes.numbers(of: first) == [1, 2, 3] && org.changes.numbers(of: second) == [4])
        #expect(org.changes.newest?.number == 4 && org.changes.newest?.source == .agent)
        #expect(org.changes[2]?.records.map(\.fields) == [["Name"]])
        #expect(org.changes[0] == nil && org.changes[5] == nil)
    }

    @Test func `a save of no records is no change`() throws {
        var org = Org()
        _ = try org.update([], by: me, at: now)
        #expect(org.changes.newest == nil && org.changes.lastNumber == 0)
    }

    @Test func `the oldest changes are forgotten when there are too many`() throws {
        var org = Org()
        let id = try account(&org)
        for number in 0...OrgChanges.capacity {
            _ = try org.update(id, ["Phone": .integer(Int64(number))], by: me, at: now)
        }
        #expect(org.changes[1] == nil)
        #expect(org.changes[2]?.number == 2)
        #expect(org.changes[OrgChanges.capacity + 1]?.number == OrgChanges.capacity + 1)
    }

    @Test func `the records of all changes together are bounded, and the newest change is kept whole`() throws {
        var org = Org()
        let ids = try (0..<OrgChanges.maximumSize / 4).map { _ in try account(&org) }
        for number in 0..<5 {
            _ = try org.update(
                ids.map { Org.Change($0, ["Phone": .integer(Int64(number))]) }, by: me, at: now)
        }
        #expect(org.changes[1] == nil && org.changes[2]?.records.count == ids.count)
        let more = try (0..<OrgChanges.maximumSize).map { _ in try account(&org) }
        _ = try org.update(more.map { Org.Change($0, ["Phone": "1"]) }, by: me, at: now)
        #expect(org.changes[5]?.number == nil && org.changes.newest?.records.count == more.count)
    }

    @Test func `a save that a trigger fails is remembered with its error`() throws {
        var org = Org.triggering()
        let changes = try (0..<11).map { _ in Org.Change(try account(&org), ["Name": "B"]) }
        #expect(throws: OrgError.self) { try org.update(changes, by: me, at: now) }
        #expect(org.changes.newest?.failure?.code == "CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY")
        #expect(org.changes.newest?.calls.isEmpty == true && org.changes.newest?.records.count == 11)
        _ = try org.update(Array(changes.prefix(1)), by: me, at: now)
        #expect(org.changes.newest?.number == 2 && org.changes[1]?.failure != nil)
    }

    @Test func `an answer belongs to its device, and one that comes after a reset to none`() throws {
        var org = Org()
        var app = OrgApp("Agent", bundleID: try #require(Topic("com.example.agent")))
        (app.keyID, app.teamID) = ("ABC123DEFG", "ABCDE12345")
        org.apps["Agent"] = app
        let id = try account(&org)
        for token in ["ab12", "cd34"] { _ = try org.register(token, bundleID: "com.example.agent", for: me, at: now) }
        let start = org
        let pushes = try org.update(id, ["Name": "B"], by: me, at: now)
        let sent = org.send(pushes, at: now)
        #expect(sent.count == 2)
        org.answered(sent[1], .accepted(apnsID: nil, uniqueID: "u"), at: now)
        let devices = try #require(org.changes.newest?.calls.first?.devices)
        #expect(devices.map(\.fate) == [.sent, .sent])
        #expect(devices[0].answer == nil && devices[1].answer?.status == 200 && devices[1].answer?.uniqueID == "u")

        org = start
        _ = try org.unregister(org.devices(of: me)[1].id, of: me, at: now)
        _ = try org.register("ef56", bundleID: "com.example.agent", for: me, at: now)
        _ = org.send(try org.update(id, ["Name": "C"], by: me, at: now), at: now)
        org.answered(sent[1], .accepted(apnsID: nil, uniqueID: "u"), at: now)
        #expect(org.changes.newest?.calls.first?.devices.allSatisfy { $0.answer == nil } == true)
    }
}
