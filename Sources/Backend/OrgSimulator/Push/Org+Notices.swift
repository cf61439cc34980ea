import APNSModel
package import PushDispatch
package import SelectiveSync

extension Org {
    /// The maximum number of recipients of one custom-notification action (docs/reference/selective-sync.md 3.2).
    package static let maximumNoticeRecipients = 500
    /// The org keeps this many of a user's newest notices.
    package static let maximumNoticesPerUser = 1_000
    static let maximumNoticeTitle = 250
    static let maximumNoticeBody = 750

    /// Makes a notice for each recipient and its push. The notices exist even if a push is not sent, for example above
    /// the hourly limit.
    package mutating func notify(
        _ type: OrgNoticeType, title: String, body: String, target: RecordID?, recipients: [RecordID],
        at now: ServerDate
    ) throws(OrgError) -> [OutgoingPush] {
        guard recipients.count <= Org.maximumNoticeRecipients else {
            throw OrgError(
                status: 400, code: "LIMIT_EXCEEDED",
                message: "\(recipients.count) recipients; an action takes \(Org.maximumNoticeRecipients).")
        }
        guard !title.isEmpty, !body.isEmpty else { throw .parser("A notice needs a title and a body.") }
        guard title.count <= Org.maximumNoticeTitle else { throw .tooLong("title", maximum: Org.maximumNoticeTitle) }
        guard body.count <= Org.maximumNoticeBody else { throw .tooLong("body", maximum: Org.maximumNoticeBody) }
        return recipients.map { recipient in
            lastNotice += 1
            let notice = OrgNotice(
                id: Org.noticeID(lastNotice), recipient: recipient, type: type.apiName, title: title, body: body,
                target: target, created: now, lastModified: now)
            var own = notices[recipient] ?? []
            if own.count >= Org.maximumNoticesPerUser { own.removeFirst() }
            own.append(notice)
            notices[recipient] = own
            log.add(
                "NOTICE_CREATED", ["notice": .string(notice.id), "user": .string(recipient.description)], at: now)
            let payload = NoticePayload(notice, type, unseen: own.count { !$0.isSeen })
            return OutgoingPush(
                type: type.apiName, targetUser: recipient, records: target.map { [$0] } ?? [], payload: payload.plain,
                application: type.application, notice: payload)
        }
    }

    /// 32 hexadecimal digits; the same number gives the same id in every run.
    private static func noticeID(_ number: UInt64) -> String {
        [SeededGenerator.mix(number), SeededGenerator.mix(~number)].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// A user's notices, the newest first.
    package func notices(of user: RecordID) -> [OrgNotice] { (notices[user] ?? []).reversed() }

    func notice(_ id: String, of user: RecordID) throws(OrgError) -> OrgNotice {
        guard let notice = notices[user]?.first(where: { $0.id == id }) else { throw .noRecord("notification") }
        return notice
    }

    /// Marks those notices of a user that match.
    ///
    /// - Returns: The matching notices, newest first.
    mutating func markNotices(
        of user: RecordID, read: Bool?, seen: Bool?, at now: ServerDate, where isWanted: (OrgNotice) -> Bool
    ) -> [OrgNotice] {
        var own = notices[user] ?? []
        var marked: [OrgNotice] = []
        for index in own.indices where isWanted(own[index]) {
            let before = own[index]
            // A read notice also counts as seen.
            own[index].isRead = read ?? before.isRead
            own[index].isSeen = seen ?? (read == true ? true : before.isSeen)
            if own[index] != before { own[index].lastModified = now }
            marked.append(own[index])
        }
        notices[user] = own
        return marked.reversed()
    }
}

extension Org {
    static let organizationID = "00Dxx0000000001EAA"
}
