import PushDispatch
import SelectiveSync
import ServiceHost

/// In-app notices and their types (docs/reference/selective-sync.md 4.5).
extension OrgREST {
    static let noticePageSizes = 1...50
    static let defaultNoticePageSize = 10
    /// The maximum number of ids in one call that marks notices.
    static let maximumMarkedNotices = 50
    /// The first API version with types and actions.
    static let noticeTypesVersion = 64

    func notices(_ call: OrgCall, _ org: Org) throws(OrgError) -> Answer {
        let after = try date("after", call)
        let before = try date("before", call)
        var size = OrgREST.defaultNoticePageSize
        if let text = call.request.parameter("size") {
            guard let number = Int(text), OrgREST.noticePageSizes.contains(number) else {
                throw .parser("size has to be a number from 1 to \(OrgREST.noticePageSizes.upperBound).")
            }
            size = number
        }
        let isTrimmed = try flag("trimMessages", call) ?? false
        let found = org.notices(of: call.user).filter { notice in
            (after.map { notice.created > $0 } ?? true) && (before.map { notice.created < $0 } ?? true)
        }
        return list(found.prefix(size), call, isTrimmed: isTrimmed)
    }

    private func list(_ notices: some Sequence<OrgNotice>, _ call: OrgCall, isTrimmed: Bool = false) -> Answer {
        let rows = notices.map { json($0, call, isTrimmed: isTrimmed) }
        return Answer(.json([("notifications", .array(rows))]))
    }

    private func json(_ notice: OrgNotice, _ call: OrgCall, isTrimmed: Bool = false) -> JSONValue {
        func shown(_ text: String, _ length: Int) -> JSONValue {
            .string(isTrimmed && text.count > length ? text.prefix(length - 1) + "…" : text)
        }
        return [
            "id": .string(notice.id), "type": .string(notice.type), "messageTitle": shown(notice.title, 40),
            "messageBody": shown(notice.body, 120), "read": .bool(notice.isRead), "seen": .bool(notice.isSeen),
            "mostRecentActivityDate": .string(notice.created.description),
            "lastModified": .string(notice.lastModified.description),
            "recipientId": .string(notice.recipient.description), "organizationId": .string(Org.organizationID),
            "target": notice.target.map { .string($0.description) } ?? .null,
            "url": .string("/services/data/\(call.version)/connect/notifications/\(notice.id)"),
        ]
    }

    func notice(_ id: String, _ call: OrgCall, _ org: Org) throws(OrgError) -> Answer {
        Answer(.json(json(try org.notice(id, of: call.user), call).compactBytes))
    }

    /// `{"read":true,"seen":true}`, for several notices also with `before` or `notificationIds`.
    func markNotices(_ id: String?, _ call: OrgCall, _ org: inout Org) throws(OrgError) -> Answer {
        let members = try OrgREST.object(in: call.request)
        let read = try flag("read", members)
        let seen = try flag("seen", members)
        guard read != nil || seen != nil else { throw .parser("read or seen is wanted, as true or false.") }
        let user = call.user
        if let id {
            _ = try org.notice(id, of: user)
            let marked = org.markNotices(of: user, read: read, seen: seen, at: call.now) { $0.id == id }
            return Answer(.json(json(marked[0], call).compactBytes))
        }
        switch (members["before"] ?? .null, members["notificationIds"] ?? .null) {
        case (.string(let text), .null):
            guard let date = ServerDate(text) else { throw .wrongValue("before", "a date-time") }
            let marked = org.markNotices(of: user, read: read, seen: seen, at: call.now) { $0.created < date }
            return list(marked.prefix(OrgREST.noticePageSizes.upperBound), call)
        case (.null, .array(let rows)):
            let ids = rows.compactMap(\.string)
            guard !ids.isEmpty, ids.count == rows.count, ids.count <= OrgREST.maximumMarkedNotices else {
                throw .parser("notificationIds takes 1 to \(OrgREST.maximumMarkedNotices) ids.")
            }
            for id in ids { _ = try org.notice(id, of: user) }
            let wanted = Set(ids)
            return list(
                org.markNotices(of: user, read: read, seen: seen, at: call.now) { wanted.contains($0.id) }, call)
        default: throw .parser("Either before or notificationIds is wanted.")
        }
    }

    func noticeStatus(_ call: OrgCall, _ org: Org) -> Answer {
        let notices = org.notices(of: call.user)
        let unread = notices.filter { !$0.isRead }
        let unseen = notices.filter { !$0.isSeen }
        func date(_ notice: OrgNotice?) -> JSONValue { notice.map { .string($0.created.description) } ?? .null }
        return Answer(
            .json([
                ("lastActivity", date(notices.first)), ("oldestUnread", date(unread.last)),
                ("oldestUnseen", date(unseen.last)), ("unreadCount", .integer(Int64(unread.count))),
                ("unseenCount", .integer(Int64(unseen.count))),
            ]))
    }

    // MARK: Types and actions

    private func checkVersion(_ call: OrgCall) throws(OrgError) {
        let number = Int(call.version.dropFirst().prefix { $0 != "." }) ?? 0
        guard number >= OrgREST.noticeTypesVersion else { throw .noResource }
    }

    func noticeTypes(_ call: OrgCall, _ org: Org) throws(OrgError) -> Answer {
        try checkVersion(call)
        let types = org.noticeTypes.sorted { $0.key < $1.key }.map { $0.value.definition.json }
        return Answer(.json([("notificationTypes", .array(types))]))
    }

    func takeAction(_ key: String, on id: String, _ call: OrgCall, _ org: inout Org) throws(OrgError) -> Answer {
        try checkVersion(call)
        let notice = try org.notice(id, of: call.user)
        guard let type = org.noticeTypes[notice.type], let action = type.action(key) else {
            throw OrgError(status: 404, code: "NOT_FOUND", message: "The notification has no such action.")
        }
        org.log.add(
            "NOTICE_ACTION",
            ["notice": .string(id), "action": .string(key), "user": .string(call.user.description)], at: call.now)
        // An action on a notice also marks it as read.
        _ = org.markNotices(of: call.user, read: true, seen: true, at: call.now) { $0.id == id }
        return Answer(.json([("message", .string(type.messages[key] ?? "\(action.label): done"))]))
    }

    /// The standard action that makes notices: `{"inputs":[{"customNotifTypeId","recipientIds","title","body",
    /// "targetId"}]}`. It performs all inputs or none.
    func sendNotices(_ call: OrgCall, _ org: inout Org) throws(OrgError) -> Answer {
        let members = try OrgREST.object(in: call.request)
        guard let inputs = members["inputs"]?.array, !inputs.isEmpty, inputs.count <= OrgREST.maximumWrites else {
            throw .parser("inputs has to be an array of 1 to \(OrgREST.maximumWrites) objects.")
        }
        let before = org
        var pushes: [OutgoingPush] = []
        do throws(OrgError) {
            for input in inputs { pushes += try send(input.object ?? [:], call, &org) }
        } catch {
            org.rollBack(to: before, because: error)
            throw error
        }
        let results: [JSONValue] = inputs.map { _ in
            ["actionName": "customNotificationAction", "errors": .null, "isSuccess": true, "outputValues": .null]
        }
        return Answer(.json(JSONValue.array(results).compactBytes), pushes: pushes)
    }

    private func send(
        _ input: [String: JSONValue], _ call: OrgCall, _ org: inout Org
    ) throws(OrgError) -> [OutgoingPush] {
        guard let name = input["customNotifTypeId"]?.string, let type = org.noticeTypes[name] else {
            throw .wrongValue("customNotifTypeId", "the API name of a type of notices")
        }
        guard let rows = input["recipientIds"]?.array, !rows.isEmpty else {
            throw .parser("recipientIds has to be an array of user ids.")
        }
        var recipients: [RecordID] = []
        var seen: Set<RecordID> = []
        for row in rows {
            let id = try OrgCall.id(row.string ?? "")
            if seen.insert(id).inserted { recipients.append(id) }
        }
        var target: RecordID?
        if let text = input["targetId"]?.string { target = try OrgCall.id(text) }
        return try org.notify(
            type, title: input["title"]?.string ?? "", body: input["body"]?.string ?? "", target: target,
            recipients: recipients, at: call.now)
    }

    // MARK: Small values

    private func date(_ name: String, _ call: OrgCall) throws(OrgError) -> ServerDate? {
        guard let text = call.request.parameter(name) else { return nil }
        guard let date = ServerDate(text) else { throw .wrongValue(name, "a date-time in percent-encoding") }
        return date
    }

    private func flag(_ name: String, _ call: OrgCall) throws(OrgError) -> Bool? {
        switch call.request.parameter(name) {
        case nil: return nil
        case "true": return true
        case "false": return false
        default: throw .wrongValue(name, "true or false")
        }
    }

    private func flag(_ name: String, _ members: [String: JSONValue]) throws(OrgError) -> Bool? {
        guard let value = members[name], value != .null else { return nil }
        guard let flag = value.flag else { throw .wrongValue(name, "true or false") }
        return flag
    }
}

extension NotificationType {
    fileprivate var json: JSONValue {
        [
            "type": .string(type), "apiName": .string(apiName), "label": .string(label),
            "actionGroups": .array(
                actionGroups.map { group in
                    ["name": .string(group.name), "actions": .array(group.actions.map(\.json))]
                }),
        ]
    }
}

extension NotificationType.Action {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "actionKey": .string(actionKey), "label": .string(label), "type": .string(type),
        ]
    }
}
