import ConfigurationText
import PushDispatch

/// Reads objects and their triggers.
extension OrgDocumentReader {
    mutating func objects(_ member: Member) {
        var objects: [OrgObject] = []
        for (key, node) in reader.list(member.node, member.key) {
            let members = reader.members(of: node, key, known: ["name", "prefix", "fields", "sharing", "trigger"])
            guard let (_, nameKey, nameNode) = members.first(where: { $0.name == "name" }),
                let name = reader.string(nameNode, nameKey)
            else {
                if node.isMapping { reader.report("the key name is missing, the API name", at: node, key) }
                continue
            }
            guard isName(name), name != OrgObject.pushDevice.name, !objects.contains(where: { $0.name == name }) else {
                reader.report(
                    "\(nameNode.shown) is not a new API name of letters, digits and _", at: nameNode, nameKey)
                continue
            }
            let standard = Org().objects[name]
            var prefix = standard?.keyPrefix
            var fields = standard?.customFields ?? []
            var sharing = OrgObject.Sharing.everyone
            for (name, key, node) in members {
                switch name {
                case "prefix": prefix = self.prefix(node, key)
                case "fields": fields = self.fields(node, key)
                case "sharing": sharing = word(node, key, OrgObject.Sharing.self) ?? sharing
                default: break
                }
            }
            guard let prefix else {
                reader.report("the key prefix is missing, the first three characters of every id", at: node, key)
                continue
            }
            if let other = objects.first(where: { $0.keyPrefix == prefix }) {
                reader.report("\(other.name) already has the prefix \(prefix)", at: node, key)
                continue
            }
            var object = OrgObject(name, keyPrefix: prefix, customFields: fields, trigger: standard?.trigger)
            object.sharing = sharing
            for (name, key, node) in members where name == "trigger" { object.trigger = trigger(node, key, object) }
            objects.append(object)
        }
        var org = Org(objects: objects)
        (org.users, org.apps, org.access) = (self.org.users, self.org.apps, self.org.access)
        self.org = org
    }

    func isName(_ text: String) -> Bool {
        (1...80).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x5f
            }
    }

    private mutating func prefix(_ node: YAMLNode, _ key: String) -> String? {
        guard let text = reader.string(node, key) else { return nil }
        guard text.utf8.count == 3, RecordID(text + "000000000000") != nil else {
            reader.report("\(node.shown) is given where three letters or digits are expected", at: node, key)
            return nil
        }
        return text
    }

    private mutating func fields(_ node: YAMLNode, _ key: String) -> [String] {
        var fields: [String] = []
        for (text, key, node) in reader.strings(node, key) {
            if !isName(text) || fields.contains(text) || OrgObject.systemFields.contains(text)
                || ["Name", "OwnerId"].contains(text)
            {
                reader.report(
                    "\(node.shown) is not a name for a custom field; Name, OwnerId and the fields of the org always exist",
                    at: node, key)
            } else {
                fields.append(text)
            }
        }
        return fields
    }

    // MARK: Triggers

    private static let triggerKeys = [
        "type", "id-key", "ids-key", "too-many", "fields", "target", "app", "flaws", "compares-case",
        "only-own-changes",
        "ignored-users", "ignored-kinds",
    ]

    private mutating func trigger(_ node: YAMLNode, _ key: String, _ object: OrgObject) -> PushTrigger? {
        // No value, or `none`, switches the trigger off.
        if node.isNothing || node.text?.lowercased() == "none" { return nil }
        let members = reader.members(of: node, key, known: OrgDocumentReader.triggerKeys)
        var trigger = object.trigger ?? PushTrigger("", form: .grouped(idsKey: "recordIds"), watched: [])
        for (name, key, node) in members {
            switch name {
            case "type": trigger.type = reader.string(node, key) ?? trigger.type
            case "id-key":
                trigger.form = reader.string(node, key).map { .each(idKey: $0) } ?? trigger.form
                trigger.defersCalls = false
            case "ids-key":
                trigger.form = reader.string(node, key).map { .grouped(idsKey: $0) } ?? trigger.form
                trigger.defersCalls = true
            case "too-many":
                trigger.overflow = word(node, key, PushTrigger.Overflow.self) ?? trigger.overflow
            case "fields": trigger.watched = watched(node, key, object)
            case "target": trigger.target = target(node, key) ?? trigger.target
            case "app": trigger.application = application(node, key) ?? trigger.application
            case "compares-case": trigger.comparesCase = reader.boolean(node, key) ?? trigger.comparesCase
            case "only-own-changes": trigger.onlyOwnChanges = reader.boolean(node, key) ?? trigger.onlyOwnChanges
            case "ignored-users":
                for (key, node) in reader.list(node, key) {
                    user(node, key).map { _ = trigger.ignoredUsers.insert($0) }
                }
            case "ignored-kinds":
                trigger.ignoredKinds = []
                for (key, node) in reader.list(node, key) {
                    word(node, key, OrgUser.Kind.self).map { _ = trigger.ignoredKinds.insert($0) }
                }
            default: break
            }
        }
        for (_, key, node) in members where members.contains(where: { $0.name == "flaws" }) {
            guard key.hasSuffix(".flaws") else { continue }
            setFlaws(node, key, &trigger)
        }
        if case .each = trigger.form, trigger.overflow != .split,
            let (_, key, node) = members.first(where: { $0.name == "too-many" })
        {
            reader.report("too-many has no effect on a push for each record; group records with ids-key", at: node, key)
        }
        if trigger.type.isEmpty { reader.report("the key type is missing, the type of the payload", at: node, key) }
        if trigger.watched.isEmpty {
            reader.report("the key fields is missing, the fields whose changes are sent", at: node, key)
        }
        return trigger
    }

    private mutating func setFlaws(_ node: YAMLNode, _ key: String, _ trigger: inout PushTrigger) {
        var flaws: Set<PushTrigger.Flaw> = []
        for (key, node) in reader.list(node, key) {
            guard let flaw = word(node, key, PushTrigger.Flaw.self) else { continue }
            if flaw == .hardWiredUser {
                guard case .user = trigger.target else {
                    reader.report("set this flaw by naming the user under target", at: node, key)
                    continue
                }
            }
            flaws.insert(flaw)
        }
        trigger.setFlaws(flaws)
    }

    private mutating func watched(_ node: YAMLNode, _ key: String, _ object: OrgObject) -> [PushTrigger.WatchedField] {
        var watched: [PushTrigger.WatchedField] = []
        // Either a list of fields, or a mapping from fields to their names in changedFields.
        let rows: [(field: String, token: String, node: YAMLNode, key: String)]
        if node.isMapping {
            rows = reader.members(of: node, key).map { member in
                (member.name, reader.string(member.node, member.key) ?? member.name, member.node, member.key)
            }
        } else {
            rows = reader.strings(node, key).map { ($0.text, $0.text, $0.node, $0.key) }
        }
        for row in rows {
            guard object.writableFields.contains(row.field) else {
                reader.report(
                    "\(object.name) has no field \(row.field); there are \(object.writableFields.joined(separator: ", "))",
                    at: row.node, row.key)
                continue
            }
            watched.append(PushTrigger.WatchedField(row.field, token: row.token))
        }
        return watched
    }

    private mutating func target(_ node: YAMLNode, _ key: String) -> PushTrigger.Target? {
        switch node.text {
        case "modifier": return .modifier
        case "owner": return .owner
        default: return user(node, key).map { .user($0) }
        }
    }

    mutating func application(_ node: YAMLNode, _ key: String) -> String? {
        guard let name = reader.string(node, key) else { return nil }
        if !org.apps.isEmpty, org.apps[name] == nil {
            reader.report(
                "there is no app \(node.shown); there are \(org.apps.keys.sorted().joined(separator: ", "))", at: node,
                key)
        }
        return name
    }
}
