import PayloadJSON

extension Rule {
    public static let entryUpdateSubject = Rule(
        id: "entry-update-subject", severity: .warning, layer: .device, looksAt: .entryUpdate,
        summary: "An entry update names one entry with `entryId`, or one experience with `experienceId`.",
        rationale: """
            The app fetches what the push names, and does nothing with a push that names nothing. An id has 1 to 64 \
            letters, digits, `_`, `-` and `.`. With both keys the app takes `entryId` only.
            """,
        source: RuleSource.entryUpdateContract,
        passes: [
            Example(#"{"aps":{"content-available":1},"type":"ENTRY_UPDATE","entryId":"hero"}"#),
            Example(#"{"aps":{"alert":"New"},"type":"ENTRY_UPDATE","experienceId":"exp-1","campaign":"spring"}"#),
            Example(#"{"aps":{"alert":"New"},"type":"ORDER","entryId":7}"#),
        ],
        fails: [
            Example(#"{"aps":{"content-available":1},"type":"ENTRY_UPDATE"}"#),
            Example(#"{"aps":{"content-available":1},"type":"ENTRY_UPDATE","entryID":"hero"}"#),
            Example(#"{"aps":{"content-available":1},"type":"ENTRY_UPDATE","entryId":7}"#),
            Example(#"{"aps":{"content-available":1},"type":"ENTRY_UPDATE","experienceId":"exp 1"}"#),
            Example(#"{"aps":{"alert":"New"},"type":"ENTRY_UPDATE","entryId":"hero","experienceId":"exp-1"}"#),
        ]
    ) { notification, findings in
        guard let type = notification.entryUpdateType else { return }
        let entry = notification.entryUpdate("entryId")
        let experience = notification.entryUpdate("experienceId")
        for (key, value) in [("entryId", entry), ("experienceId", experience)] {
            guard let value, notification.document.string(of: value).map(EntryReference.isID) != true else { continue }
            findings.report(
                "\(key) is \(notification.described(value)); an id has 1 to \(EntryReference.maximumIDLength) letters, "
                    + "digits, _, - and .",
                at: notification.place(ofValue: value))
        }
        if entry != nil, let experience {
            findings.report(
                "experienceId is ignored beside entryId; send a push for each",
                at: notification.place(ofKeyOf: experience))
        }
        guard entry == nil, experience == nil else { return }
        let meant = notification.document.members(of: .root).lazy.compactMap { member -> JSONIndex? in
            guard let name = notification.document.string(of: member.key) else { return nil }
            return ["entryid", "entry_id", "experienceid", "experience_id"].contains(name.lowercased())
                ? member.value : nil
        }.first
        findings.report(
            "the push names nothing to fetch; it needs a text under entryId or experienceId, spelt like this",
            at: meant.map { notification.place(ofKeyOf: $0) } ?? notification.place(ofValue: type))
    }
}

extension InspectedNotification {
    /// The value of `type` in an entry update; nil for another push.
    var entryUpdateType: JSONIndex? {
        guard let type = self[.type], document.isString(type, "ENTRY_UPDATE") else { return nil }
        return type
    }

    /// A member of the root that is not null.
    func entryUpdate(_ key: StaticString) -> JSONIndex? {
        document.member(key, of: .root).flatMap { document.kind(of: $0) == .null ? nil : $0 }
    }
}
