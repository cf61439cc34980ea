import ConfigurationText
import PushDispatch

/// Reads the triggers of objects.
extension OrgDocumentReader {
    private static let triggerKeys = [
        "kind", "type", "id-key", "ids-key", "too-many", "fields", "target", "app", "flaws", "compares-case", "sources",
        "only-own-changes", "ignored-users", "ignored-kinds",
    ]
    /// They decide which flaws a trigger can have, so they are read before its flaws.
    private static let shapingKeys: Set = ["id-key", "ids-key", "target"]

    mutating func trigger(_ node: YAMLNode, _ key: String, _ object: OrgObject) -> PushTrigger? {
        // No value, or `none`, switches the trigger off.
        if node.isNothing || node.text?.lowercased() == "none" { return nil }
        var trigger = object.trigger ?? PushTrigger("", form: .grouped(idsKey: "recordIds"), watched: [])
        let members =
            node.text == nil ? reader.members(of: node, key, known: OrgDocumentReader.triggerKeys) : []
        let named = node.text == nil ? members.first { $0.name == "kind" }.map { ($0.node, $0.key) } : (node, key)
        let kind = named.flatMap { word($0, $1, PushTrigger.Kind.self) }
        let isShaping = { (name: String) in OrgDocumentReader.shapingKeys.contains(name) }
        for (name, key, node) in members where isShaping(name) { read(name, node, key, object, into: &trigger) }
        if let kind { trigger.setFlaws(kind.flaws) }
        for (_, key, node) in members.filter({ $0.name == "flaws" }) { setFlaws(node, key, &trigger) }
        for (name, key, node) in members where !isShaping(name) { read(name, node, key, object, into: &trigger) }
        checkTarget(kind, trigger, members, node, key)
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

    /// A kind with one fixed user needs that user.
    private mutating func checkTarget(
        _ kind: PushTrigger.Kind?, _ trigger: PushTrigger, _ members: [Member], _ node: YAMLNode, _ key: String
    ) {
        guard let kind, kind.flaws.contains(.hardWiredUser), !trigger.flaws.contains(.hardWiredUser),
            !members.contains(where: { ["target", "flaws"].contains($0.name) })
        else { return }
        reader.report(
            "the key target is missing, the one user who gets the pushes of a \(kind.rawValue) trigger", at: node, key)
    }

    private mutating func read(
        _ name: String, _ node: YAMLNode, _ key: String, _ object: OrgObject, into trigger: inout PushTrigger
    ) {
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
        case "sources": trigger.sources = Set(words(node, key, ChangeSource.Kind.self))
        case "ignored-users":
            for (key, node) in reader.list(node, key) {
                user(node, key).map { _ = trigger.ignoredUsers.insert($0) }
            }
        case "ignored-kinds": trigger.ignoredKinds = Set(words(node, key, OrgUser.Kind.self))
        default: break
        }
    }

    private mutating func words<Word: RawRepresentable & CaseIterable>(
        _ node: YAMLNode, _ key: String, _: Word.Type
    ) -> [Word] where Word.RawValue == String {
        var words: [Word] = []
        for (key, node) in reader.list(node, key) {
            if let word = word(node, key, Word.self) { words.append(word) }
        }
        return words
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
