extension Rule {
    /// Every rule, in the order in which they look and in which findings at one place are listed.
    public static let all: [Rule] = [
        .payloadEmpty, .payloadTooLarge, .payloadFitsVoIPOnly, .backgroundPriority, .backgroundPriorityAbsent,
        .payloadJSON,
        .payloadObject, .apsObject, .backgroundContentAvailable, .backgroundAlert, .backgroundBadge, .backgroundSound,
        .backgroundPushType, .contentAvailableValue, .contentAvailableForm, .contentAvailableInRoot, .hintRecord,
        .hintPersonalData,
    ]

    public static func named(_ id: String) -> Rule? { all.first { $0.id == id } }
}

/// Where rules come from.
enum RuleSource {
    private static let apple = "https://developer.apple.com/documentation/usernotifications/"
    static let sendingRequests = apple + "sending-notification-requests-to-apns"
    static let handlingResponses = apple + "handling-notification-responses-from-apns"
    static let generatingPayloads = apple + "generating-a-remote-notification"
    static let backgroundUpdates = apple + "pushing-background-updates-to-your-app"
    static let json = "https://www.rfc-editor.org/rfc/rfc8259"
    static let hintContract = "the payload contract of silent hints in this package"
}
