public import PushDispatch

/// The result of registering or unregistering.
public enum RegistrationResult: Hashable, Sendable {
    /// Why no request was needed.
    public enum Reason: String, Hashable, Sendable {
        /// A simulator device gets no pushes through APNs.
        case simulator
        /// This user has no registration on this device.
        case notRegistered
    }

    public enum Failure: Hashable, Sendable {
        case noUser
        /// The system has not delivered a device token yet. It is registered when it arrives.
        case noDeviceToken
        /// The CRM refused, or did not answer.
        case server(FetchError)
        /// The storage could not read the id and threw an error of this type.
        case storage(errorType: String)
    }

    case registered(RecordID)
    case unregistered
    /// The request to remove the registration failed. It counts as a success, because the CRM removes a device token that is
    /// no longer valid by itself.
    case unregisteredWithoutAnswer(FetchError)
    case nothingToDo(Reason)
    case failed(Failure)

    public var isSuccess: Bool {
        if case .failed = self { false } else { true }
    }
}

/// An event of a registration for a log. It contains no device token.
public enum RegistrationEvent: Hashable, Sendable {
    /// A registration or its removal has ended.
    case ended(RegistrationResult)
    /// The types of the CRM's notices, fetched after a registration.
    case notificationTypes([NotificationType])
    /// They could not be fetched. The registration is valid.
    case notificationTypesFailed(FetchError)
    /// The storage could not save the id. It is known until the process ends, and a later registration returns it again.
    case notSaved(errorType: String)
}
