extension Rule {
    /// Every rule, in the order in which they look and in which findings at one place are listed.
    public static let all: [Rule] = aboutPayloads + aboutHeaders + aboutHints + aboutContracts

    private static let aboutPayloads: [Rule] = [
        .payloadEmpty, .payloadTooLarge, .payloadFitsVoIPOnly, .backgroundPriority, .backgroundPriorityAbsent,
        .payloadJSON,
        .payloadObject, .apsObject, .backgroundContentAvailable, .backgroundAlert, .backgroundBadge, .backgroundSound,
        .backgroundPushType, .contentAvailableValue, .contentAvailableForm, .contentAvailableInRoot,
    ]

    public static func named(_ id: String) -> Rule? { all.first { $0.id == id } }
}
