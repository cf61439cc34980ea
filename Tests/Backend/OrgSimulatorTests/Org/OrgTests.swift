import APNSModel
import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing
import ServiceHost

struct OrgTests {
    private let me = RecordID.user(1)
    private let now = ServerDate.start

    private func account(in org: inout Org) throws -> RecordID {
        try org.create("Account", ["Name": "Northwind Clinic", "Type": "Customer"], by: me, at: now)
    }

    @Test func `a change is sent to the user's devices in the reference form without the name`() throws {
        var org = Org.triggering()
        let id = try account(in: &org)
        let pushes = try org.update(
            id, ["Type": "Partner", "OwnerId": .string(RecordID.user(2).description), "Name": "Other"], by: me,
            at: now.after(seconds: 60))
        #expect(pushes.map(\.targetUser) == [me])
        #expect(
            pushes.first?.text
                == #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"\#(id)","changedFields":"Name, Owner, Type"}"#
        )
    }

    @Test func `the name is sent if the trigger includes it`() throws {
        var org = Org.triggering { $0.includesName = true }
        let id = try account(in: &org)
        let push = try org.update(id, ["Name": "A \"quoted\" name"], by: me, at: now).first
        #expect(push?.text.contains(#""accountName":"A \"quoted\" name","changedFields":"Name""#) == true)
    }

    @Test func `unwatched fields, equal values and changes of case send nothing`() throws {
        var org = Org.triggering()
        let id = try account(in: &org)
        for fields in [["Phone": "1"], ["Name": "Northwind Clinic"], ["Name": "NORTHWIND clinic"]]
            as [[String: JSONValue]]
        {
            #expect(try org.update(id, fields, by: me, at: now).isEmpty)
        }
        #expect(org[id]?.fields["Name"] == "NORTHWIND clinic")
        #expect(try org.update(id, ["Type": .null], by: me, at: now).count == 1)
    }

    @Test func `a trigger that compares exactly fires for a change of case`() throws {
        var org = Org.triggering { $0.comparesCase = true }
        let id = try account(in: &org)
        #expect(try org.update(id, ["Name": "northwind clinic"], by: me, at: now).count == 1)
    }

    @Test func `the owner or one user can receive the push, and integrations are ignored`() throws {
        var byOwner = Org.triggering { $0.target = .owner }
        var id = try account(in: &byOwner)
        #expect(try byOwner.update(id, ["Type": "A"], by: .user(3), at: now).first?.targetUser == me)
        var byUser = Org.triggering { $0.target = .user(.user(9)) }
        id = try account(in: &byUser)
        #expect(try byUser.update(id, ["Type": "A"], by: .user(3), at: now).first?.targetUser == .user(9))
        var quiet = Org.triggering { $0.ignoredUsers = [.user(3)] }
        id = try account(in: &quiet)
        #expect(try quiet.update(id, ["Type": "A"], by: .user(3), at: now).isEmpty)
    }

    @Test func `interactions of one save are grouped by user, as many as fit a push`() throws {
        var interaction = OrgObject.interaction
        interaction.trigger?.target = .owner
        var org = Org(objects: [interaction])
        var changes: [Org.Change] = []
        for number in 0..<400 {
            let owner = RecordID.user(number % 20 == 0 ? 2 : 1)
            let id = try org.create(
                "Interaction", ["Name": "I", "OwnerId": .string(owner.description)], by: me, at: now)
            changes.append(Org.Change(id, ["Status": "Done"]))
        }
        let pushes = try org.update(changes, by: me, at: now)
        #expect(pushes.map(\.targetUser) == [.user(2), .user(1), .user(1)])
        #expect(pushes.map(\.records.count) == [20, 191, 189])
        #expect(pushes.map(\.payload.count).max() == 4_077)
        #expect(Set(pushes.flatMap(\.records)).count == 400)
    }

    @Test func `one push can request a regular sync if the ids do not fit`() throws {
        var interaction = OrgObject.interaction
        interaction.trigger?.overflow = .regularSync
        for (count, text) in [
            (191, #""recordIds":["#),
            (192, #"{"aps":{"content-available":1},"type":"REGULAR_SYNC","object":"Interaction"}"#),
        ] {
            var org = Org(objects: [interaction])
            var changes: [Org.Change] = []
            for _ in 0..<count {
                changes.append(Org.Change(try org.create("Interaction", [:], by: me, at: now), ["Status": "Done"]))
            }
            let pushes = try org.update(changes, by: me, at: now)
            #expect(pushes.count == 1 && pushes[0].text.contains(text))
            #expect(Set(pushes[0].records) == Set(changes.map(\.record)))
        }
        let push = Push(bytes: Array(#"{"type":"REGULAR_SYNC","object":"Interaction"}"#.utf8))
        #expect(try RegularSyncRequest(push) == RegularSyncRequest(object: "Interaction"))
    }

    @Test func `every push fits the size limit and can be read by the device`() throws {
        var org = Org.triggering { $0.includesName = true }
        let id = try account(in: &org)
        let name = String(repeating: "\u{1}", count: 255)
        let push = try #require(try org.update(id, ["Name": .string(name)], by: me, at: now).first)
        #expect(push.payload.count <= PushType.background.maximumPayloadBytes)
        guard case .hint(let hint) = HintTypes.standard.read(Push(bytes: push.payload)).outcome else {
            throw TestError()
        }
        #expect(hint == Hint(type: "ACCOUNT_UPDATE", object: "Account", records: [id], changedFields: ["Name"]))
    }

    @Test func `each save has a later stamp, even if the clock was set back`() throws {
        var org = Org.triggering()
        let id = try account(in: &org)
        var last = try #require(org[id]?.systemModstamp)
        #expect(last == now)
        for seconds in [60, 60, 0, -3_600] as [Int64] {
            _ = try org.update(id, ["Phone": .integer(seconds)], by: .user(2), at: now.after(seconds: seconds))
            let stamp = try #require(org[id]?.systemModstamp)
            #expect(stamp > last)
            last = stamp
        }
        #expect(org[id]?.lastModifiedBy == .user(2))
    }

    @Test func `a save of several changes is all or nothing`() throws {
        var org = Org.triggering()
        let id = try account(in: &org)
        let before = org[id]
        #expect(throws: OrgError.self) {
            try org.update([Org.Change(id, ["Type": "X"]), Org.Change(.user(1), [:])], by: me, at: now)
        }
        #expect(org[id] == before)
    }

    @Test(
        arguments: [
            (["Nope": "x"], "INVALID_FIELD"), (["Id": "x"], "INVALID_FIELD_FOR_INSERT_UPDATE"),
            (["SystemModstamp": "x"], "INVALID_FIELD_FOR_INSERT_UPDATE"), (["OwnerId": "nobody"], "INVALID_TYPE"),
            (["OwnerId": .null], "INVALID_TYPE"), (["Name": .null], "INVALID_TYPE"), (["Name": 7], "INVALID_TYPE"),
            (["Phone": ["a"]], "INVALID_TYPE"), (["OwnerId": "001xx0000000001AAA"], "INVALID_TYPE"),
            (["Name": .string(String(repeating: "x", count: 256))], "STRING_TOO_LONG"),
        ] as [([String: JSONValue], String)])
    func `an invalid write of a field is refused`(fields: [String: JSONValue], code: String) throws {
        var org = Org.triggering()
        let id = try account(in: &org)
        #expect { try org.update(id, fields, by: me, at: now) } throws: { ($0 as? OrgError)?.code == code }
        #expect { try org.create("Account", fields, by: me, at: now) } throws: { ($0 as? OrgError)?.code == code }
    }

    @Test func `an owner is one of the org's users`() throws {
        var org = Org()
        org.users[me] = OrgUser(me, name: "ada")
        let id = try account(in: &org)
        let stranger: [String: JSONValue] = ["OwnerId": .string(RecordID.user(2).description)]
        #expect { try org.update(id, stranger, by: me, at: now) } throws: { ($0 as? OrgError)?.code == "INVALID_TYPE" }
        #expect { try org.create("Account", stranger, by: me, at: now) } throws: {
            ($0 as? OrgError)?.code == "INVALID_TYPE"
        }
        org.users[.user(2)] = OrgUser(.user(2), name: "bob")
        _ = try org.update(id, stranger, by: me, at: now)
        #expect(org[id]?.owner == .user(2))
    }

    @Test func `the org's size is bounded`() throws {
        var org = Org(maximumRecords: 1)
        _ = try org.create("Account", ["Name": "A"], by: me, at: now)
        #expect { try org.create("Account", ["Name": "B"], by: me, at: now) } throws: {
            ($0 as? OrgError)?.code == "STORAGE_LIMIT_EXCEEDED"
        }
    }
}
