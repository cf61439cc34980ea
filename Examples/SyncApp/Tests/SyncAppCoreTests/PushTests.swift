import PushDispatch
import PushDispatchTesting
import SelectiveSync
import SyncAppCore
import Testing

struct PushTests {
    @Test(arguments: [TestPhone.AppState.foreground, .suspended, .terminated])
    func `a silent push fetches the account in every state of the app`(state: TestPhone.AppState) async throws {
        try await withWorld(state) { world in
            world.server.edit(World.northwind, name: "Northwind Clinic Nord")
            let report = try await world.phone.receive(.accountUpdate)
            #expect(report.callbacks == [.background])
            #expect(try report.result == .newData)
            #expect(try await world.name == "Northwind Clinic Nord")
            try await world.phone.check()
        }
    }

    @Test func `a server that takes too long fails the push, and the next one fetches the account`() async throws {
        try await withWorld { world in
            world.server.edit(World.northwind, name: "Nord")
            world.server.change { $0.seconds = 60 }
            let slow = try await world.phone.receive(.accountUpdate)
            #expect(try slow.result == .failed)
            #expect(try slow.milliseconds == 24_000)

            world.server.change { $0.seconds = 1 }
            try await world.phone.move(to: .terminated)
            try await world.phone.pass(minutes: 20)
            #expect(try await world.phone.receive(.accountUpdate).result == .newData)
            #expect(try await world.name == "Nord")
        }
    }

    @Test func `a force-quit app misses its pushes, and the regular sync fetches the account`() async throws {
        try await withWorld(.forceQuit) { world in
            world.server.edit(World.northwind, name: "Nord")
            let report = try await world.phone.receive(.accountUpdate)
            #expect(report.isHeld && report.callbacks.isEmpty)
            let crm = try world.launched()
            #expect(await crm.refresh().syncs["Account"]?.state == .done)
            #expect(try await world.name == "Nord")
        }
    }

    @Test func `a reminder reaches its own handler, and a tap on it adds no second one`() async throws {
        try await withWorld { world in
            let phone = world.phone(with: try world.launched())
            let report = try await phone.receive(.visitReminder)
            #expect(report.isShown)
            #expect(try report.result == .newData)
            #expect(await world.reminders.all == [VisitReminder(visitId: World.northwind, minutes: 15)])
            #expect(try await phone.tap().callbacks == [.tap, .background])
            #expect(await world.reminders.all.count == 1)
        }
    }

    @Test func `on screen a reminder is shown and a push that names a record is not`() async throws {
        try await withWorld { world in
            let crm = try world.launched()
            var visible = Push.accountUpdate.payload
            visible["aps"] = ["alert": "Northwind Clinic has changed", "content-available": 1]
            #expect(!crm.isShownInForeground(Push(visible)))
            #expect(crm.isShownInForeground(.visitReminder))
        }
    }

    @Test func `the log counts events, and holds no field of a record and no text of a payload`() async throws {
        try await withWorld { world in
            world.server.edit(World.northwind, name: "Northwind")
            var payload = Push.accountUpdate.payload
            payload["accountName"] = "Jane Doe"
            payload["changedFields"] = ["Jane Doe"]
            try await world.phone.receive(Push(payload))
            world.server.change { $0.isDown = true }
            try await world.phone.pass(minutes: 1)
            try await world.phone.receive(.accountUpdate)
            #expect(world.log.counts["push.received"] == 2 && world.log.counts["push.failed"] == 1)
            #expect(world.log.counts["push.newData"] == 1 && world.log.counts["sync.changed"] == 1)

            let text = world.lines.all.joined(separator: "\n")
            #expect(text.contains("\(World.northwind)") && text.contains("finished"))
            for personal in ["Northwind", "Jane"] { #expect(!text.contains(personal)) }
        }
    }
}
