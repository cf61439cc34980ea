import APNSModel
import Foundation
import GatewayCore
import GatewayServer
import OrgSimulator
import PushDispatch
import SelectiveSync

/// The hard cases, with two more devices of the same user: pushes that come late, all at once, or not at all. In the end the
/// regular sync makes both stores equal to the CRM, and requests and bytes are compared with polling.
struct DemoScenes {
    private let backEnd: DemoBackEnd
    private let phone: DemoPhone
    private let tablet: DemoPhone
    private let output = Output.standard
    private let accounts: [RecordID]
    private let interactions: [RecordID]
    /// The traffic until both devices had everything.
    private var start = DemoTraffic()
    private var fullSync = DemoTraffic()
    private var pushCount = 0
    private var changeCount = 0

    static let accountCount = 40
    static let interactionCount = 500

    static func fill(_ org: inout Org, at date: ServerDate) throws {
        for number in 1..<accountCount {
            _ = try org.create(
                "Account", ["Name": .string("Clinic \(number)"), "Type": "Prospect"], by: DemoBackEnd.user, at: date)
        }
        for number in 1...interactionCount {
            _ = try org.create(
                "Interaction", ["Name": .string("Visit \(number)"), "Status": "Planned"], by: DemoBackEnd.user, at: date
            )
        }
    }

    /// - Parameters:
    ///   - former: The device of the first change, whose app is uninstalled.
    ///   - folder: For the stores of the devices.
    static func play(_ backEnd: DemoBackEnd, former: DeviceToken, in folder: URL) async throws {
        _ = backEnd.gateway.uninstall(former)
        backEnd.beginSending()
        let phone = try await DemoPhone("phone", at: backEnd, in: folder)
        do {
            let tablet = try await DemoPhone("tablet", at: backEnd, in: folder)
            do {
                var scenes = DemoScenes(backEnd, phone, tablet)
                try await scenes.play()
            } catch {
                await tablet.stop()
                throw error
            }
            await tablet.stop()
        } catch {
            await phone.stop()
            throw error
        }
        await phone.stop()
    }

    private init(_ backEnd: DemoBackEnd, _ phone: DemoPhone, _ tablet: DemoPhone) {
        self.backEnd = backEnd
        self.phone = phone
        self.tablet = tablet
        accounts = backEnd.records(of: "Account").map(\.id)
        interactions = backEnd.records(of: "Interaction").map(\.id)
    }

    private mutating func play() async throws {
        try await logIn()
        try await offline()
        try reference()
        try await burst()
        try await forceQuit()
        try await expiredSession()
        try await dirtyRecord()
        try await regularSync()
        try await compare()
    }

    // MARK: Scenes

    private mutating func logIn() async throws {
        output.scene("two devices", "a phone and a tablet of the same user log in and fetch everything, once")
        let before = backEnd.meter.total
        _ = try await phone.regularSync()
        fullSync = backEnd.meter.total - before
        _ = try await tablet.regularSync()
        start = backEnd.meter.total
        output.line("each has \(accounts.count + interactions.count) records, for \(fullSync.text)")
    }

    private mutating func offline() async throws {
        output.scene("offline", "three accounts change while the tablet is offline")
        _ = backEnd.gateway.patch(tablet.token, DevicePatch(isOnline: false))
        let (gateway, token) = (backEnd.gateway, tablet.token)
        let count = gateway.count(for: token) + 3
        for number in 0..<3 { try save([change(accounts[number], "Type", "Customer")]) }
        output.line("phone", "\(try await results(of: phone, 3))")
        // The phone may have its last push before that of the tablet is sent.
        _ = await gateway.wait(upTo: .seconds(30)) { gateway.count(for: token) == count }
        _ = backEnd.gateway.patch(tablet.token, DevicePatch(isOnline: true))
        output.line("tablet", "\(try await results(of: tablet, 1)): APNs keeps only the newest push of an app")
        guard backEnd.deviceCount == 2 else {
            throw CommandError("the CRM keeps a device whose device token is dead", .no)
        }
        output.line("the app of the first device was uninstalled: its push got 410, and the CRM removed it")
    }

    /// The trigger for accounts is the reference trigger, which makes a push call for each record.
    private func reference() throws {
        output.scene(
            "bulk save", "12 accounts in one save, with the reference trigger that makes a call for each record")
        do throws(OrgError) {
            try backEnd.save(accounts[10..<22].map { change($0, "Type", "Customer") })
        } catch {
            return output.line("refused, and no record is changed: \(error.message)")
        }
        throw CommandError("the CRM took 12 push calls in one transaction", .no)
    }

    private mutating func burst() async throws {
        output.scene("burst", "500 interactions change in one save; their trigger groups them")
        let before = backEnd.meter.total
        let pushes = backEnd.gateway.acceptedCount
        try save(interactions.map { change($0, "Status", "Done") })
        // As many ids as fit into a payload.
        let count = (interactions.count + 190) / 191
        let (phoneResults, tabletResults) = (try await results(of: phone, count), try await results(of: tablet, count))
        output.line("phone", "\(phoneResults)")
        output.line("tablet", "\(tabletResults)")
        let sent = backEnd.gateway.acceptedCount - pushes
        output.line("\(sent) pushes for both; their records came with \((backEnd.meter.total - before).text)")
    }

    private mutating func forceQuit() async throws {
        output.scene("force-quit", "the user force-quits the app on the tablet, and an account changes")
        _ = backEnd.gateway.patch(tablet.token, DevicePatch(appState: .forceQuit))
        let count = backEnd.gateway.count(for: tablet.token)
        try save([change(accounts[3], "Type", "Customer")])
        output.line("phone", "\(try await results(of: phone, 1))")
        let fate = await backEnd.gateway.fate(ofNextAfter: count, for: tablet.token)
        output.line("tablet", "nothing: \(fate)")
        _ = backEnd.gateway.patch(tablet.token, DevicePatch(appState: .foreground))
        output.line("tablet", "\(try await results(of: tablet, 1)) once the user opens it again")
    }

    private mutating func expiredSession() async throws {
        output.scene("session", "all access tokens expire, and an interaction changes")
        try backEnd.expireSessions()
        let refused = backEnd.meter.refusedCount
        try save([change(interactions[0], "Status", "Paid")])
        let (one, two) = (try await results(of: phone, 1), try await results(of: tablet, 1))
        output.line("phone", "\(one), \(phone.refreshes) refresh of the session")
        output.line(
            "tablet", "\(two), \(tablet.refreshes) refresh; \(backEnd.meter.refusedCount - refused) calls were refused")
    }

    private mutating func dirtyRecord() async throws {
        let account = accounts[5]
        output.scene("own edit", "the user edits an account on the phone, and the same account changes at the CRM")
        try await phone.edit(account, "Type", "Partner")
        try save([change(account, "Name", "Clinic renamed")])
        let (one, two) = (try await results(of: phone, 1), try await results(of: tablet, 1))
        output.line("phone", "\(one), the edit stays: Type is \(try await phone.value("Type", of: account))")
        output.line("tablet", "\(two), Name is \"\(try await tablet.value("Name", of: account))\"")
        let first = await phone.upload(overwrites: false)
        output.line("upload", "\(first.conflicts.count) conflict, nothing overwritten; the user decides for the edit")
        let second = await phone.upload(overwrites: true)
        guard first.conflicts.count == 1, second.uploaded == 1 else {
            throw CommandError("the edit was not uploaded: \(second.state)", .no)
        }
        changeCount += 1
        // The trigger pushes to both devices, also to the one that made the change.
        output.line("phone", "\(try await results(of: phone, 1)): the push about its own edit")
        output.line(
            "tablet", "\(try await results(of: tablet, 1)), Type is \(try await tablet.value("Type", of: account))")
    }

    private mutating func regularSync() async throws {
        output.scene("regular sync", "brings every change that no push has brought")
        for device in [phone, tablet] {
            let before = try await device.matches(backEnd)
            let changed = try await device.regularSync()
            let after = try await device.matches(backEnd)
            guard after.same == after.there, after.here == after.there else {
                throw CommandError(
                    "the \(device.name)'s store has \(after.same) of \(after.there) records as the CRM has them", .no)
            }
            let name = device.name.padding(toLength: 7, withPad: " ", startingAt: 0)
            output.line(
                "\(name) \(before.same) of \(before.there) records were equal; \(changed) changed; now all are")
        }
    }

    private mutating func compare() async throws {
        let pushed = backEnd.meter.total - start
        let before = backEnd.meter.total
        _ = try await phone.regularSync()
        let poll = backEnd.meter.total - before
        let polls = 24 * 60 / 15
        let pushBytes = backEnd.gateway.acceptedBytes
        output.result("")
        output.result("  Calls to the CRM for both devices, and the bytes of their bodies:")
        output.result("")
        let rows = [
            ("\(changeCount) changes by push, and the regular sync", pushed),
            ("polling every 15 minutes for a day, nothing new", poll * polls * 2),
            ("a full sync every 15 minutes for a day", fullSync * polls * 2),
        ]
        for (name, traffic) in rows {
            let label = name.padding(toLength: 52, withPad: " ", startingAt: 0)
            output.result("    \(label)\(traffic.text)")
        }
        output.result("")
        output.result(
            "  The pushes themselves: \(backEnd.gateway.acceptedCount), \(DemoTraffic.grouped(pushBytes)) bytes of payload."
        )
    }

    // MARK: Output

    private func change(_ id: RecordID, _ field: String, _ value: String) -> Org.Change {
        Org.Change(id, [field: .string(value)])
    }

    private mutating func save(_ changes: [Org.Change]) throws(OrgError) {
        try backEnd.save(changes)
        changeCount += changes.count
    }

    /// The results that the app reports for its next pushes.
    private func results(of device: DemoPhone, _ count: Int) async throws -> String {
        let results = try await device.handled(count)
        var text: [String] = []
        for result in [PushResult.newData, .noData, .failed] {
            let number = results.count { $0 == result }
            if number > 0 { text.append(number == 1 ? "\(result)" : "\(number) × \(result)") }
        }
        return text.joined(separator: ", ")
    }
}
