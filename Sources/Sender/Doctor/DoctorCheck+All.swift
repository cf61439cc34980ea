extension DoctorCheck {
    /// Every check, in the order in which the results are printed.
    package static let all: [DoctorCheck] =
        ofKeys + ofClocks + ofRoutes + ofTLS + ofIdentities + ofTopics + ofDevices + ofQueues

    private static let ofKeys: [DoctorCheck] = [
        .credentialsGiven, .keyFile, .keyMode, .keyForm, .keyKind, .keyID, .teamID, .providerToken, .certificateForm,
        .certificateDates, .certificateEnvironment,
    ]

    private static let ofClocks: [DoctorCheck] = [.clockPlausible, .clockSynchronized, .clockOffset]

    private static let ofRoutes: [DoctorCheck] = [.proxy, .dns, .ipv6, .port, .otherPort]

    private static let ofTLS: [DoctorCheck] = [.tlsHandshake, .tlsChain, .tlsIssuer, .alpn, .http2]

    private static let ofIdentities: [DoctorCheck] = [.identity, .keyEnvironment]

    private static let ofTopics: [DoctorCheck] = [.topicForm, .certificateTopic, .topicAllowed]

    private static let ofDevices: [DoctorCheck] = [
        .deviceTokenForm, .deviceTokenKnown, .deviceTokenTopic, .deviceTokenActive, .pushAccepted, .deviceUnseen,
    ]

    private static let ofQueues: [DoctorCheck] = [
        .queueReached, .queueVersion, .queuePersistence, .queueMemory, .queueBacklog,
    ]

    package static func named(_ id: String) -> DoctorCheck? { all.first { $0.id == id } }
}
