import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing

struct TriggerGateTests {
    private let me = RecordID.user(1)
    private let now = ServerDate.start

    private func accounts(_ count: Int, in org: inout Org) throws -> [Org.Change] {
        try (0..<count).map { number in
            let id = try org.create("Account", ["Name": .string("A\(number)")], by: me, at: now)
            return Org.Change(id, ["Type": "Changed"])
        }
    }

    @Test func `a bulk update of eleven records fails with the reference trigger, and saves nothing`() throws {
        var org = Org.triggering()
        let changes = try accounts(11, in: &org)
        #expect(throws: OrgError.self) { try org.update(changes, by: me, at: now) }
        #expect { try org.update(changes, by: me, at: now) } throws: { error in
            (error as? OrgError)?.code == "CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY"
                && (error as? OrgError)?.message.contains("Too many mobile push Apex calls: 11") == true
        }
        #expect(org.records(of: "Account").allSatisfy { $0.fields["Type"] == nil })
        #expect(org.log.entries().contains { $0.event == "SAVE_FAILED" })
        #expect(try org.update(Array(changes.dropLast()), by: me, at: now).count == 10)
    }

    @Test func `records without a change of a watched field cost no call`() throws {
        var org = Org.triggering()
        let changes = try accounts(200, in: &org).map { Org.Change($0.record, ["Phone": "1"]) }
        #expect(try org.update(changes, by: me, at: now).isEmpty)
    }

    @Test func `without the flaw, calls above the limit are deferred, grouped ones as well`() throws {
        var deferring = Org.triggering { $0.setFlaws([.ownEcho]) }
        #expect(try deferring.update(accounts(50, in: &deferring), by: me, at: now).count == 50)
        #expect(
            deferring.log.entries().contains { $0.event == "PUSH_CALLS_DEFERRED" && $0.members["push-calls"] == 40 })
        var grouped = Org.triggering {
            $0 = PushTrigger("ACCOUNTS_UPDATE", form: .grouped(idsKey: "recordIds"), watched: $0.watched)
        }
        #expect(
            try grouped.update(accounts(500, in: &grouped), by: me, at: now).map(\.records.count) == [191, 191, 118])
    }

    @Test func `the limit counts the calls of one transaction together`() throws {
        var contact = OrgObject("Contact", keyPrefix: "003", trigger: .account)
        contact.trigger?.watched = [.init("Name", token: "Name")]
        var org = Org(objects: [.account, contact])
        var changes = try accounts(6, in: &org)
        for _ in 0..<5 {
            changes.append(Org.Change(try org.create("Contact", ["Name": "C"], by: me, at: now), ["Name": "D"]))
        }
        #expect(throws: OrgError.self) { try org.update(changes, by: me, at: now) }
    }

    @Test(arguments: [OrgUser.Kind.integration, .syncQueue])
    func `changes by users that are not persons are not sent`(kind: OrgUser.Kind) throws {
        var org = Org.triggering()
        org.users[.user(3)] = OrgUser(.user(3), name: "queue", kind: kind)
        let change = try accounts(1, in: &org)
        #expect(try org.update(change, by: .user(3), at: now).isEmpty)
        #expect(org.log.entries().last?.event == "TRIGGER_SKIPPED")
        var open = Org.triggering { $0.ignoredKinds = [] }
        open.users = org.users
        #expect(try open.update(accounts(1, in: &open), by: .user(3), at: now).count == 1)
    }

    @Test func `a flow of another user does not fire a trigger for own changes only`() throws {
        var org = Org.triggering()
        let change = try accounts(1, in: &org)
        #expect(try org.update(change, by: .user(2), from: .automaticProcess, at: now.after(seconds: 60)).isEmpty)
        let record = try #require(org[change[0].record])
        #expect(record.lastModified == now && record.lastModifiedBy == me)
        #expect(record.systemModstamp == now.after(seconds: 60))
        var open = Org.triggering { $0.onlyOwnChanges = false }
        let other = try accounts(1, in: &open)
        #expect(try open.update(other, by: .user(2), from: .automaticProcess, at: now).count == 1)
    }

    @Test(arguments: [ChangeSource.agent, .integration, .bulkLoad])
    func `a change in a user's name by something else than the user fires only a trigger that names its source`(
        source: ChangeSource
    ) throws {
        var org = Org.triggering()
        let change = try accounts(1, in: &org)
        #expect(try org.update(change, by: me, from: source, at: now).isEmpty)
        #expect(org[change[0].record]?.lastModifiedBy == me)
        #expect(
            org.log.entries().last?.members["why"]
                == .string("changes of this source are ignored: \(source.kind.rawValue)"))
        var open = Org.triggering { $0.sources.insert(source.kind) }
        #expect(try open.update(accounts(1, in: &open), by: me, from: source, at: now).count == 1)
    }

    @Test func `a trigger can be closed for browsers and apps`() throws {
        var org = Org.triggering { $0.sources = [.agent] }
        let change = try accounts(1, in: &org)
        #expect(try org.update(change, by: me, at: now).isEmpty)
        #expect(
            try org.update([.init(change[0].record, ["Type": "X"])], by: me, from: .session(grant: nil), at: now)
                .isEmpty)
    }

    @Test func `a trigger with the flaw every-source fires for systems and flows of others`() throws {
        var org = Org.triggering { $0.setFlaws([.everySource]) }
        org.users[.user(3)] = OrgUser(.user(3), name: "queue", kind: .syncQueue)
        #expect(try org.update(accounts(1, in: &org), by: .user(3), from: .bulkLoad, at: now).count == 1)
        #expect(try org.update(accounts(1, in: &org), by: .user(2), from: .automaticProcess, at: now).count == 1)
        var gated = PushTrigger.account
        gated.setFlaws([.everySource])
        gated.setFlaws([])
        #expect(gated.sources == ChangeSource.Kind.ofPeople && gated.onlyOwnChanges)
        #expect(gated.ignoredKinds == [.integration, .syncQueue])
    }

    @Test func `the flaws of a trigger follow from its settings`() {
        #expect(PushTrigger.account.flaws == [.sendPerRecord, .ownEcho, .ignoresCase])
        var trigger = PushTrigger.account
        trigger.target = .user(me)
        trigger.setFlaws([.nameInPayload])
        #expect(trigger.flaws == [.hardWiredUser, .nameInPayload])
        #expect(trigger.includesName && trigger.defersCalls && trigger.excludesSource && trigger.comparesCase)
        #expect(PushTrigger.interaction.flaws == [.ownEcho, .ignoresCase])
    }

    @Test(arguments: PushTrigger.Kind.allCases) func `a kind of trigger has its flaws`(kind: PushTrigger.Kind) {
        var trigger = PushTrigger.account
        if kind != .modifier { trigger.target = .user(me) }
        trigger.setFlaws(kind.flaws)
        #expect(trigger.flaws == kind.flaws)
    }
}
