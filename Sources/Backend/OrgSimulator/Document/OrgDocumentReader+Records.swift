import ConfigurationText
import PushDispatch
import SelectiveSync
import ServiceHost

/// Reads records, rights, faults and limits.
extension OrgDocumentReader {
    mutating func records(_ member: Member) {
        for (key, node) in reader.list(member.node, member.key) {
            let members = reader.members(
                of: node, key, known: ["object", "id", "owner", "fields", "changed", "hidden-from"])
            guard let (_, objectKey, objectNode) = members.first(where: { $0.name == "object" }),
                let object = reader.string(objectNode, objectKey)
            else {
                if node.isMapping { reader.report("the key object is missing", at: node, key) }
                continue
            }
            guard org.objects[object] != nil else {
                reader.report(
                    "there is no object \(objectNode.shown); there are \(org.objects.keys.sorted().joined(separator: ", "))",
                    at: objectNode, objectKey)
                continue
            }
            record(object, members, node, key)
        }
    }

    private mutating func record(_ object: String, _ members: [Member], _ node: YAMLNode, _ key: String) {
        var (id, owner): (RecordID?, RecordID?) = (nil, nil)
        var fields: [String: JSONValue] = [:]
        var date = now
        var hiddenFrom: [RecordID] = []
        for (name, key, node) in members {
            switch name {
            case "id":
                id = self.id(node, key)
                if let id, let prefix = org.objects[object]?.keyPrefix, id.keyPrefix != prefix {
                    reader.report("ids of \(object) begin with \(prefix)", at: node, key)
                }
            case "owner": owner = user(node, key)
            case "fields":
                for (name, key, node) in reader.members(of: node, key) { fields[name] = json(node, key) }
            case "changed": date = self.date(node, key) ?? now
            case "hidden-from":
                for (key, node) in reader.list(node, key) { user(node, key).map { hiddenFrom.append($0) } }
            default: break
            }
        }
        if let owner { fields["OwnerId"] = .string(owner.description) }
        let creator = owner ?? org.users.values.map(\.id).min { $0.description < $1.description } ?? Org.defaultUser.id
        do throws(OrgError) {
            let created = try org.create(object, fields, id: id, by: creator, at: date)
            for user in hiddenFrom { org.setVisible(false, created, to: user) }
        } catch {
            reader.report(error.message, at: node, key)
        }
    }

    private mutating func date(_ node: YAMLNode, _ key: String) -> ServerDate? {
        guard let text = reader.string(node, key) else { return nil }
        guard let date = ServerDate(text) else {
            reader.report("\(node.shown) is given where a time such as 2026-05-20T20:49:32Z is expected", at: node, key)
            return nil
        }
        return date
    }

    mutating func hiddenFields(_ member: Member) {
        for (key, node) in reader.list(member.node, member.key) {
            var text = node.text
            var hidden: RecordID?
            if node.isMapping {
                for (name, key, node) in reader.members(of: node, key, known: ["field", "user"]) {
                    if name == "field" { text = reader.string(node, key) } else { hidden = user(node, key) }
                }
            }
            let parts = (text ?? "").split(separator: ".").map(String.init)
            guard parts.count == 2, org.objects[parts[0]]?.hasField(parts[1]) == true else {
                reader.report("an object and one of its fields such as Account.Phone are expected", at: node, key)
                continue
            }
            org.hiddenFields.insert(HiddenField(parts[0], parts[1], from: hidden))
        }
    }

    mutating func faults(_ member: Member) {
        for (key, node) in reader.list(member.node, member.key) {
            guard let value = json(node, key) else { continue }
            do throws(ControlProblem) {
                let org = org
                let fault = try OrgFault(json: value) { org.user(named: $0) }
                if self.org.faults.add(fault) == nil {
                    reader.report("an org has at most \(OrgFaults.maximumRules) fault rules", at: node, key)
                }
            } catch {
                reader.report(error.detail, at: node, key)
            }
        }
    }

    mutating func settings(_ member: Member) {
        guard let value = json(member.node, member.key) else { return }
        do throws(ControlProblem) {
            try org.settings.patch(value)
        } catch {
            // The text begins with the key.
            reader.report(error.detail, at: member.node, nil)
        }
    }

    /// The JSON form of a YAML value: quoted values are strings, and plain values have the type that YAML gives them.
    ///
    /// - Returns: Nil, after a report, if the document has too many values or too many levels. Anchors can make a tree
    ///   that does not fit into memory from a few lines.
    mutating func json(_ node: YAMLNode, _ key: String, depth: Int = 0) -> JSONValue? {
        valueCount += 1
        guard valueCount <= OrgDocumentReader.maximumValues else {
            if valueCount == OrgDocumentReader.maximumValues + 1 {
                reader.report(
                    "with its anchors the document has more than \(OrgDocumentReader.maximumValues) values in fields, "
                        + "faults and settings; use fewer aliases", at: node, key)
            }
            return nil
        }
        guard depth <= OrgDocumentReader.maximumDepth else {
            reader.report(
                "its anchors nest deeper than \(OrgDocumentReader.maximumDepth) levels; use fewer aliases", at: node,
                nil)
            return nil
        }
        if node.isMapping {
            var members: [String: JSONValue] = [:]
            for (name, key, node) in reader.members(of: node, key) {
                guard let value = json(node, key, depth: depth + 1) else { return nil }
                members[name] = value
            }
            return .object(members)
        }
        if node.isSequence {
            var elements: [JSONValue] = []
            for (key, node) in reader.list(node, key) {
                guard let value = json(node, key, depth: depth + 1) else { return nil }
                elements.append(value)
            }
            return .array(elements)
        }
        return OrgDocumentReader.json(scalar: node)
    }

    private static func json(scalar node: YAMLNode) -> JSONValue {
        guard let text = node.text else { return .null }
        guard node.isPlain else { return .string(text) }
        if node.isNothing { return .null }
        switch text {
        case "true", "True", "TRUE": return true
        case "false", "False", "FALSE": return false
        default: break
        }
        if let integer = Int64(text), !text.hasPrefix("+") { return .integer(integer) }
        if let number = Double(text), number.isFinite, text.contains("."), text.last?.isNumber == true {
            return .number(number)
        }
        return .string(text)
    }
}
