import ConfigurationText
import PushDispatch

/// Reads objects.
extension OrgDocumentReader {
    mutating func objects(_ member: Member) {
        var objects: [OrgObject] = []
        for (key, node) in reader.list(member.node, member.key) {
            let members = reader.members(
                of: node, key, known: ["name", "prefix", "fields", "external-id", "sharing", "trigger"])
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
            var external: String?
            var sharing = OrgObject.Sharing.everyone
            for (name, key, node) in members {
                switch name {
                case "prefix": prefix = self.prefix(node, key)
                case "fields": fields = self.fields(node, key)
                case "external-id": external = reader.string(node, key)
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
            object.externalIDField = external
            if let external, !fields.contains(external),
                let (_, key, node) = members.first(where: { $0.name == "external-id" })
            {
                reader.report("\(node.shown) is not among the fields of \(name)", at: node, key)
            }
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
}
