/// The definition of one object of the simulated org.
package struct OrgObject: Hashable, Sendable {
    /// Which users can see a record.
    package enum Sharing: String, Hashable, Sendable, CaseIterable {
        case everyone
        case owner
    }

    package let name: String
    /// The first three characters of every id.
    package let keyPrefix: String
    /// The fields that a user may set besides `Name` and `OwnerId`, which every object has.
    package let customFields: [String]
    /// A custom field that names a record for an upsert; nil for none.
    package var externalIDField: String?
    package var sharing = Sharing.everyone
    /// Nil if changes of the object cause no pushes.
    package var trigger: PushTrigger?

    package init(
        _ name: String, keyPrefix: String, customFields: [String] = [], trigger: PushTrigger? = nil,
        externalIDField: String? = nil
    ) {
        self.name = name
        self.keyPrefix = keyPrefix
        self.customFields = customFields
        self.trigger = trigger
        self.externalIDField = externalIDField
    }

    package static let account = OrgObject(
        "Account", keyPrefix: "001", customFields: ["Type", "Industry", "Phone"], trigger: .account)
    package static let interaction = OrgObject(
        "Interaction", keyPrefix: "0xI", customFields: ["Status", "Subject", "AccountId"], trigger: .interaction)
    /// The device registry as an object; its records are made from `OrgDevice` (docs/reference/selective-sync.md 4.3).
    static let pushDevice = OrgObject(
        "MobilePushServiceDevice", keyPrefix: "0FG",
        customFields: [
            "ConnectionToken", "ServiceType", "ApplicationBundle", "NetworkId", "RsaPublicKey", "CipherName",
        ])

    /// Fields that only the org sets.
    package static let systemFields = [
        "Id", "LastModifiedById", "LastModifiedDate", "SystemModstamp", "CreatedById", "CreatedDate", "IsDeleted",
    ]

    /// The maximum length of a field in UTF-16 units, as the platform counts; a name has at most 255.
    static let maximumTextUnits = 32_768
    static let maximumNameUnits = 255

    package var writableFields: [String] { ["Name", "OwnerId"] + customFields }

    package func hasField(_ field: String) -> Bool {
        OrgObject.systemFields.contains(field) || writableFields.contains(field)
    }

    /// The object's spelling of a field; queries may use another case.
    func field(named name: Substring) -> String? {
        let wanted = name.lowercased()
        return (OrgObject.systemFields + writableFields).first { $0.lowercased() == wanted }
    }
}
