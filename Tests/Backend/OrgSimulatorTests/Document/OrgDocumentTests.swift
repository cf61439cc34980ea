import APNSModel
import ConfigurationText
import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing

struct OrgDocumentTests {
    private func read(_ text: String) -> OrgDocument {
        OrgDocument(Array(text.utf8), name: "org.yaml", at: .start)
    }

    private static let whole = """
        settings: {daily-calls: 1000, pushes-per-hour: 20, rotate-refresh-tokens: true, access-token-lifetime: 1h}
        seed: 7
        users:
          - {name: ada, access-token: ada-token, refresh-token: ada-refresh}
          - {name: bob, id: 005xx00000000zz}
          - {name: queue, kind: sync-queue}
        apps:
          - name: Agent
            bundle: com.example.agent
            key: keys/AuthKey_ABC123DEFG.p8
            key-id: ABC123DEFG
            team-id: ABCDE12345
            environment: production
            client-id: agent-client
            client-secret: hush
        objects:
          - name: Account
            fields: [Type, Industry]
            trigger: {flaws: [name-in-payload], compares-case: true}
          - name: Task__c
            prefix: a00
            fields: [Status]
            sharing: owner
            trigger:
              type: TASKS
              ids-key: recordIds
              too-many: regular-sync
              fields: {Status: State}
              target: bob
              ignored-users: [ada]
              ignored-kinds: []
        records:
          - {object: Account, id: 001xx000003DGb2, owner: ada, fields: {Name: Northwind, Industry: "7"}}
          - object: Task__c
            owner: bob
            changed: 2026-05-01T10:00:00Z
            fields: {Name: Call, Status: 7}
            hidden-from: [bob]
        hidden-fields: [Account.Industry, {field: Task__c.Status, user: ada}]
        faults:
          - {effect: {refuse: {status: 503}}, match: {user: ada}, count: 2}
        """

    @Test func `a document sets up an org`() throws {
        let document = read(Self.whole)
        #expect(document.errors.isEmpty, "\(document.errors)")
        let org = document.org
        #expect(org.settings.dailyCalls == 1_000 && org.settings.pushesPerHour == 20)
        #expect(org.settings.rotatesRefreshTokens && org.settings.accessTokenLifetime == 3_600_000)
        let ada = try #require(org.user(named: "ada"))
        let bob = try #require(org.user(named: "bob"))
        #expect(bob == RecordID("005xx00000000zz"))
        #expect(org.users.values.first { $0.name == "queue" }?.kind == .syncQueue)
        #expect(org.access.session("ada-token", at: .start)?.user == ada)
        let app = try #require(org.apps["Agent"])
        #expect(app.keyID == "ABC123DEFG" && app.teamID == "ABCDE12345" && app.environment == .production)
        #expect(app.clientID == "agent-client" && app.clientSecret == "hush")
        #expect(document.keyFiles == ["Agent": "keys/AuthKey_ABC123DEFG.p8"])
        #expect(org.objects.keys.sorted() == ["Account", "Task__c"])
        #expect(org.objects["Account"]?.trigger?.flaws == [.nameInPayload])
        #expect(org.objects["Account"]?.trigger?.comparesCase == true)
        let task = try #require(org.objects["Task__c"])
        #expect(task.sharing == .owner && task.trigger?.target == .user(bob) && task.trigger?.ignoredUsers == [ada])
        #expect(task.trigger?.overflow == .regularSync && org.objects["Account"]?.trigger?.overflow == .split)
        #expect(task.trigger?.watched == [.init("Status", token: "State")])
        let account = try #require(org[RecordID("001xx000003DGb2")!])
        #expect(account.owner == ada && account.fields["Industry"] == "7" && account.lastModified == .start)
        let record = try #require(org.records(of: "Task__c").first)
        #expect(record.fields["Status"] == 7 && record.lastModified == ServerDate("2026-05-01T10:00:00Z"))
        #expect(!org.isVisible(record, to: bob))
        #expect(org.hiddenFields.count == 2)
        #expect(org.faults.rules.first?.fault.count == 2)
        #expect(!"\(app)".contains("hush"))
    }

    @Test func `a trigger can be named by its kind, and what follows the kind wins`() throws {
        let document = read(
            """
            users: [{name: ada}, {name: bob}]
            objects:
              - {name: Account, trigger: {kind: reference, target: bob}}
              - {name: Interaction, trigger: modifier}
              - name: Task
                prefix: a00
                trigger:
                  {type: T, id-key: taskId, fields: [Name], kind: hard-wired, target: ada, flaws: [hard-wired-user],
                   sources: [agent, bulk-load]}
            """)
        #expect(document.errors.isEmpty, "\(document.errors)")
        let triggers = document.org.objects.mapValues(\.trigger)
        let account = try #require(triggers["Account"] ?? nil)
        #expect(account.flaws == Set(PushTrigger.Flaw.allCases) && account.watched == PushTrigger.account.watched)
        #expect(document.org.user(named: "bob").map { account.target == .user($0) } == true)
        let interaction = try #require(triggers["Interaction"] ?? nil)
        #expect(interaction.flaws == [.ownEcho, .ignoresCase] && interaction.target == .modifier)
        let task = try #require(triggers["Task"] ?? nil)
        #expect(task.flaws == [.hardWiredUser] && task.sources == [.agent, .bulkLoad])
    }

    @Test func `an empty document gives an org with one user and one app`() {
        for text in ["", "# nothing", "~"] {
            let document = read(text)
            #expect(document.errors.isEmpty)
            #expect(document.org.users.values.map(\.name) == ["ada@example.com"])
            #expect(document.org.apps["Agent"]?.bundleID.value == "com.example.agent")
        }
        #expect(OrgDocument.standard(at: .start).records(of: "Account").count == 3)
    }

    @Test(arguments: [
        ("user: []", "org.yaml:1:1: user: there is no such key; did you mean users?"),
        ("users:\n  - {nam: ada}", "users[0].nam"),
        ("users:\n  - {id: 005xx0000000001}", "users[0]: the key name is missing"),
        ("users:\n  - {name: a}\n  - {name: a}", "org.yaml:3:"), ("users: [{name: a, kind: robot}]", "none of person"),
        ("users: [{name: a, id: x}]", "has 1 bytes"), ("apps: [{name: A}]", "bundle is missing"),
        ("apps: [{name: A, bundle: 'a b'}]", "not a bundle id"),
        ("apps: [{name: A, bundle: a, key-id: short}]", "ten characters"),
        ("apps: [{name: A, bundle: a}, {name: A, bundle: b}]", "already"),
        ("objects: [{name: X}]", "the key prefix is missing"),
        ("objects: [{name: X, prefix: toolong}]", "three letters"),
        ("objects: [{name: X, prefix: a00, fields: [Id]}]", "not a name for a custom field"),
        ("objects: [{name: X, prefix: a00, trigger: {type: T}}]", "the key fields is missing"),
        ("objects: [{name: X, prefix: a00, trigger: {fields: [Name]}}]", "the key type is missing"),
        ("objects: [{name: Account, trigger: {fields: [Nope]}}]", "Account has no field Nope"),
        ("objects: [{name: Account, trigger: {flaws: [echo]}}]", "none of send-per-record"),
        ("objects: [{name: Account, trigger: {flaws: [hard-wired-user]}}]", "naming the user under target"),
        ("objects: [{name: Account, trigger: hard-wired}]", "the key target is missing"),
        ("objects: [{name: Account, trigger: {kind: own}}]", "none of reference, hard-wired, modifier"),
        ("objects: [{name: Account, trigger: {sources: [robot]}}]", "none of browser, app, flow, agent"),
        ("objects: [{name: Account, trigger: {too-many: all}}]", "none of split, regular-sync"),
        ("objects: [{name: Account, trigger: {too-many: regular-sync}}]", "group records with ids-key"),
        ("objects: [{name: Account, trigger: {target: eve}}]", "there is no user"),
        ("objects: [{name: A, prefix: a00}, {name: B, prefix: a00}]", "already has the prefix a00"),
        ("records: [{object: Nope}]", "there are Account, Interaction"),
        ("records: [{object: Account, fields: {Nope: 1}}]", "No such column"),
        ("records: [{object: Account, id: 003xx0000000001}]", "begin with 001"),
        ("records: [{object: Account, owner: eve}]", "there is no user"),
        ("records: [{object: Account, changed: yesterday}]", "a time such as"),
        ("hidden-fields: [Phone]", "Account.Phone"), ("faults: [{effect: {limit: 1}}]", "limit takes true"),
        ("settings: {daily-cals: 1}", "there is no key \"daily-cals\""), ("users: {", "not YAML"),
        ("[]", "a mapping"),
    ])
    func `a mistake is reported with its place and a remedy`(text: String, says: String) {
        let errors = read(text).errors.map(\.description)
        #expect(errors.contains { $0.contains(says) && $0.hasPrefix("org.yaml") }, "\(errors)")
    }

    @Test(arguments: ["settings: {daily-cals: 1}", "settings: {push: 7}", "settings: {access-token-lifetime: 0s}"])
    func `a mistake in the settings names them once`(_ text: String) {
        let errors = read(text).errors.map(\.description)
        #expect(errors.count == 1 && errors[0].ranges(of: "settings").count == 1, "\(errors)")
    }

    @Test func `all mistakes are reported at once`() {
        let document = read("users:\n  - {name: a, kind: x}\nrecords:\n  - {object: Nope}\nfaults:\n  - {}\n")
        #expect(document.errors.count == 3)
        #expect(document.errors.compactMap(\.line) == [2, 4, 6])
    }

    @Test(arguments: [
        "records:\n  - {object: Account, fields: {Name: *l7}}", "faults: [*l7]", "settings: {daily-calls: *l7}",
    ])
    func `anchors that stand for a huge tree are reported with file and line`(text: String) {
        let levels = (1...7).map { level in
            "  - {name: &l\(level) [" + (0..<9).map { _ in "*l\(level - 1)" }.joined(separator: ",") + "]}"
        }
        let document = read("users:\n  - {name: &l0 [x]}\n" + levels.joined(separator: "\n") + "\n" + text + "\n")
        let errors = document.errors.map(\.description).filter { $0.contains("more than 200000 values") }
        #expect(errors.count == 1, "\(document.errors.suffix(3))")
        #expect(errors.allSatisfy { $0.hasPrefix("org.yaml:") && !$0.hasPrefix("org.yaml: ") }, "\(errors)")
    }

    @Test func `anchors that nest too deep are reported with file and line`() {
        let levels = (1...150).map { "  - {name: &l\($0) [*l\($0 - 1)]}" }
        let document = read(
            "users:\n  - {name: &l0 [x]}\n" + levels.joined(separator: "\n") + "\nfaults: [*l150]\n")
        let errors = document.errors.map(\.description).filter { $0.contains("deeper than 100 levels") }
        #expect(errors.count == 1, "\(document.errors.suffix(3))")
        #expect(errors.first?.hasPrefix("org.yaml:") == true, "\(errors)")
    }

    @Test(arguments: [
        "{name: a, access-token: hush1}, {name: b, access-token: hush1}",
        "{name: a, refresh-token: hush1}, {name: b, refresh-token: hush1}",
        "{name: a, access-token: hush1, refresh-token: hush1}",
    ])
    func `a token that another log-in has too is refused, and not shown`(users: String) {
        let errors = read("users: [\(users)]").errors.map(\.description)
        #expect(errors.count == 1 && errors[0].contains("another access or refresh token has this value"), "\(errors)")
        #expect(!errors.joined().contains("hush1"))
    }

    @Test func `an invalid token is not shown in the message`() {
        let errors = read("users: [{name: a, access-token: 'top secret'}]").errors
        #expect(errors.count == 1)
        #expect(!errors[0].description.contains("secret"))
    }
}
