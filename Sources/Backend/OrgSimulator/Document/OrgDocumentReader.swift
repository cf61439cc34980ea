import APNSModel
import ConfigurationText
import PushDispatch
import SelectiveSync

/// Builds an org from the members of a document.
struct OrgDocumentReader {
    typealias Member = (name: String, key: String, node: YAMLNode)

    var reader: YAMLReader
    let now: ServerDate
    var org = Org()
    var keyFiles: [String: String] = [:]
    /// The number of the last id that was made for a user without one.
    private var lastUser = 0
    /// The access and refresh tokens so far. Each names one log-in.
    private var givenTokens: Set<String> = []

    /// The most values in fields, faults and settings; each occurrence of an alias counts.
    static let maximumValues = 200_000
    /// The most levels of nested lists and mappings in one of them; the conversion recurses.
    static let maximumDepth = 100
    /// The values so far.
    var valueCount = 0

    init(reader: YAMLReader, now: ServerDate) {
        self.reader = reader
        self.now = now
    }

    /// Reads users before the members that name them, and objects before their records.
    mutating func read(_ members: [Member]) {
        let read: [(String, (inout OrgDocumentReader, Member) -> Void)] = [
            ("users", { $0.users($1) }), ("apps", { $0.apps($1) }), ("objects", { $0.objects($1) }),
        ]
        for (name, body) in read { members.filter { $0.name == name }.forEach { body(&self, $0) } }
        org.addDefaultUserAndApp()
        for member in members where member.name == "settings" { settings(member) }
        for member in members where member.name == "seed" {
            guard let seed = reader.number(member.node, member.key, in: 0...Int64.max) else { continue }
            org.faults = OrgFaults(seed: UInt64(seed))
        }
        for member in members where member.name == "notice-types" { noticeTypes(member) }
        for member in members where member.name == "records" { records(member) }
        for member in members where member.name == "hidden-fields" { hiddenFields(member) }
        for member in members where member.name == "faults" { faults(member) }
    }

    // MARK: Small values

    mutating func user(_ node: YAMLNode, _ key: String) -> RecordID? {
        guard let name = reader.string(node, key) else { return nil }
        if let user = org.user(named: name) { return user }
        let names = org.users.values.map(\.name).sorted().joined(separator: ", ")
        reader.report("there is no user \(node.shown); there are \(names)", at: node, key)
        return nil
    }

    mutating func id(_ node: YAMLNode, _ key: String) -> RecordID? {
        guard let text = reader.string(node, key) else { return nil }
        do throws(RecordID.Problem) {
            return try RecordID.read(text).id
        } catch {
            reader.report("\(node.shown) \(error)", at: node, key)
            return nil
        }
    }

    mutating func word<Word: RawRepresentable & CaseIterable>(
        _ node: YAMLNode, _ key: String, _: Word.Type
    ) -> Word? where Word.RawValue == String {
        reader.word(node, key, Word.allCases.map { ($0.rawValue, $0) })
    }

    private mutating func missing(_ name: String, of node: YAMLNode, _ key: String, _ why: String) {
        if node.isMapping { reader.report("the key \(name) is missing, \(why)", at: node, key) }
    }

    // MARK: Users and apps

    private mutating func users(_ member: Member) {
        for (key, node) in reader.list(member.node, member.key) {
            let members = reader.members(
                of: node, key, known: ["id", "name", "kind", "access-token", "refresh-token", "app"])
            guard let (_, nameKey, nameNode) = members.first(where: { $0.name == "name" }),
                let name = reader.string(nameNode, nameKey)
            else {
                missing("name", of: node, key, "what the user logs in with")
                continue
            }
            guard org.user(named: name) == nil else {
                reader.report("there is already a user named \(name)", at: nameNode, nameKey)
                continue
            }
            var id: RecordID?
            var kind = OrgUser.Kind.person
            var tokens: (access: String?, refresh: String?) = (nil, nil)
            var clientID = OutgoingPush.defaultApplication
            for (name, key, node) in members {
                switch name {
                case "id": id = self.id(node, key)
                case "kind": kind = word(node, key, OrgUser.Kind.self) ?? kind
                case "access-token": tokens.access = token(node, key)
                case "refresh-token": tokens.refresh = token(node, key)
                case "app": clientID = reader.string(node, key) ?? clientID
                default: break
                }
            }
            guard let id = id ?? nextUserID(), org.users[id] == nil else {
                reader.report("another user has this id", at: node, key)
                continue
            }
            org.users[id] = OrgUser(id, name: name, kind: kind)
            if tokens.access != nil || tokens.refresh != nil {
                org.access.add(
                    accessToken: tokens.access, refreshToken: tokens.refresh, for: id, clientID: clientID)
            }
        }
    }

    /// A value that an authorization header can hold. Messages never show it, because it is a secret.
    private mutating func token(_ node: YAMLNode, _ key: String) -> String? {
        guard let text = reader.string(node, key) else { return nil }
        guard (1...1_000).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            reader.report("a token has 1 to 1000 ASCII characters without spaces", at: node, key)
            return nil
        }
        guard givenTokens.insert(text).inserted else {
            reader.report(
                "another access or refresh token has this value; give each a value of its own", at: node, key)
            return nil
        }
        return text
    }

    private mutating func nextUserID() -> RecordID? {
        while lastUser < 9_999 {
            lastUser += 1
            let digits = String(lastUser)
            let text = "005xx" + String(repeating: "0", count: 10 - digits.count) + digits
            if let id = RecordID(text), org.users[id] == nil { return id }
        }
        return nil
    }

    private mutating func apps(_ member: Member) {
        for (key, node) in reader.list(member.node, member.key) {
            let members = reader.members(
                of: node, key,
                known: [
                    "name", "namespace", "bundle", "key", "key-id", "team-id", "environment", "push", "client-id",
                    "client-secret",
                ])
            guard let (_, nameKey, nameNode) = members.first(where: { $0.name == "name" }),
                let name = reader.string(nameNode, nameKey)
            else {
                missing("name", of: node, key, "which triggers and push calls use")
                continue
            }
            guard let (_, bundleKey, bundleNode) = members.first(where: { $0.name == "bundle" }),
                let text = reader.string(bundleNode, bundleKey)
            else {
                missing("bundle", of: node, key, "the app's bundle id")
                continue
            }
            guard let bundle = Topic(text) else {
                reader.report(
                    "\(bundleNode.shown) is not a bundle id; letters, digits, '.', '-' and '_' are expected",
                    at: bundleNode,
                    bundleKey)
                continue
            }
            var app = OrgApp(name, bundleID: bundle)
            for (name, key, node) in members { take(name, key, node, into: &app) }
            guard org.apps.updateValue(app, forKey: name) == nil else {
                reader.report("there is already an app named \(name)", at: nameNode, nameKey)
                continue
            }
        }
    }

    private mutating func take(_ name: String, _ key: String, _ node: YAMLNode, into app: inout OrgApp) {
        switch name {
        case "namespace": app.namespace = reader.string(node, key)
        case "key": keyFiles[app.name] = reader.string(node, key)
        case "key-id": app.keyID = identifier(node, key)
        case "team-id": app.teamID = identifier(node, key)
        case "environment": app.environment = word(node, key, APNSEnvironment.self) ?? app.environment
        case "push": app.isPushEnabled = reader.boolean(node, key) ?? app.isPushEnabled
        case "client-id": app.clientID = reader.string(node, key) ?? app.clientID
        case "client-secret": app.clientSecret = reader.string(node, key)
        default: break
        }
    }

    private mutating func identifier(_ node: YAMLNode, _ key: String) -> String? {
        guard let text = reader.string(node, key) else { return nil }
        let isGood =
            text.utf8.count == 10
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) }
        guard isGood else {
            reader.report("\(node.shown) is given where ten characters of 0-9 and A-Z are expected", at: node, key)
            return nil
        }
        return text
    }
}
