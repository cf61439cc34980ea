import ConfigurationText
import PushDispatch

/// Reads types of notices and their actions.
extension OrgDocumentReader {
    mutating func noticeTypes(_ member: Member) {
        for (key, node) in reader.list(member.node, member.key) {
            let members = reader.members(of: node, key, known: ["name", "label", "app", "action-groups"])
            guard let name = name(in: members, of: node, key, "the API name") else { continue }
            guard org.noticeTypes[name] == nil else {
                reader.report("there is already a type named \(name)", at: node, key)
                continue
            }
            var type = OrgNoticeType(NotificationType(type: name, apiName: name, label: name))
            for (name, key, node) in members {
                switch name {
                case "label": type.definition.label = reader.string(node, key) ?? type.definition.label
                case "app": type.application = application(node, key) ?? type.application
                case "action-groups":
                    for (key, node) in reader.list(node, key) { actionGroup(node, key, &type) }
                default: break
                }
            }
            org.noticeTypes[name] = type
        }
    }

    private mutating func actionGroup(_ node: YAMLNode, _ key: String, _ type: inout OrgNoticeType) {
        let members = reader.members(of: node, key, known: ["name", "actions"])
        guard let name = name(in: members, of: node, key, "which becomes the category of the push") else { return }
        var group = NotificationType.ActionGroup(name: name, actions: [])
        for (_, key, node) in members where key.hasSuffix(".actions") {
            for (key, node) in reader.list(node, key) { action(node, key, &group, &type) }
        }
        type.definition.actionGroups.append(group)
    }

    private mutating func action(
        _ node: YAMLNode, _ key: String, _ group: inout NotificationType.ActionGroup, _ type: inout OrgNoticeType
    ) {
        let members = reader.members(of: node, key, known: ["name", "label", "type", "message"])
        guard let name = name(in: members, of: node, key, "which is also the key of the action") else { return }
        guard type.action(name) == nil, !group.actions.contains(where: { $0.actionKey == name }) else {
            reader.report("the type already has an action \(name)", at: node, key)
            return
        }
        var action = NotificationType.Action(
            name: name, actionKey: name, label: name, type: NotificationType.Action.apiType)
        for (name, key, node) in members {
            switch name {
            case "label": action.label = reader.string(node, key) ?? action.label
            case "type": action.type = reader.string(node, key) ?? action.type
            case "message": type.messages[action.actionKey] = reader.string(node, key)
            default: break
            }
        }
        group.actions.append(action)
    }

    /// The value of the key `name`, which is part of a path of the REST interface.
    private mutating func name(in members: [Member], of node: YAMLNode, _ key: String, _ why: String) -> String? {
        guard let (_, nameKey, nameNode) = members.first(where: { $0.name == "name" }),
            let name = reader.string(nameNode, nameKey)
        else {
            if node.isMapping { reader.report("the key name is missing, \(why)", at: node, key) }
            return nil
        }
        guard isName(name) else {
            reader.report("\(nameNode.shown) is not a name of letters, digits and _", at: nameNode, nameKey)
            return nil
        }
        return name
    }
}
