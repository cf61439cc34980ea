import PayloadJSON

extension ApplicationContract {
    /// The contract of silent hints (docs/reference/selective-sync.md section 1), which the validator always knows. Its
    /// findings come from separate rules, whose ids begin with `hint-`.
    public static let hints: [ApplicationContract] = [accountUpdate, interaction, test]

    /// One account has changed.
    static let accountUpdate = ApplicationContract(
        name: HintPayload.Kind.accountUpdate.rawValue,
        match: .value(HintPayload.Kind.accountUpdate.rawValue, ofKey: "type"),
        keys: [accountID, ContractKey("changedFields", .string(), isRequired: false)], allowsOtherKeys: false,
        forbiddenKeys: personalKeys, visibility: .silent)

    /// One or more interactions have changed.
    static let interaction = ApplicationContract(
        name: HintPayload.Kind.interaction.rawValue,
        match: .value(HintPayload.Kind.interaction.rawValue, ofKey: "type"), keys: [recordIDs], allowsOtherKeys: false,
        forbiddenKeys: personalKeys, visibility: .silent)

    /// The visible check of a set-up.
    static let test = ApplicationContract(
        name: "TEST", match: .value("TEST", ofKey: "type"),
        keys: [ContractKey("message", .string(), isRequired: false)], visibility: .visible)

    static let accountID = ContractKey("accountId", .string(.recordID))
    static let recordIDs = ContractKey("recordIds", .array(of: .string(.recordID), count: 1...Int.max))

    /// Keys with personal data.
    private static let personalKeys: [ForbiddenKey] = [
        "accountName", "contactName", "customerName", "patientName", "userName", "fullName", "firstName", "lastName",
        "email", "phone", "address", "birthdate",
    ].map { ForbiddenKey($0, reason: "it identifies a person; send only the id") }
}

extension InspectedNotification {
    /// The kind of hint; nil if the payload is not a hint about records.
    var hintKind: HintPayload.Kind? {
        guard let type = self[.type] else { return nil }
        if document.isString(type, "ACCOUNT_UPDATE") { return .accountUpdate }
        return document.isString(type, "INTERACTION") ? .interaction : nil
    }

    /// Checks a hint by its contract; reports nothing for other payloads.
    func checkHint(_ aspects: ContractAspect, _ findings: inout Findings) {
        switch hintKind {
        case .accountUpdate: ApplicationContract.accountUpdate.check(aspects, in: self, &findings)
        case .interaction: ApplicationContract.interaction.check(aspects, in: self, &findings)
        case nil: return
        }
    }
}
