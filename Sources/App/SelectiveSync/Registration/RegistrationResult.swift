public import PushDispatch

/// How a registration, or the end of one, went.
public enum RegistrationResult: Hashable, Sendable {
    /// Why there was nothing to ask of the CRM.
    public enum Reason: String, Hashable, Sendable {
        /// A simulator gets no pushes through APNs.
        case simulator
        /// This user has no registration on this device.
        case notRegistered
    }

    public enum Failure: Hashable, Sendable {
        case noUser
        /// The system has not given a device token yet; it is registered when it comes.
        case noDeviceToken
        /// The CRM refused, or did not answer.
        case server(FetchError)
        /// The id could not be read; only the name of the error's type is told.
        case storage(errorType: String)
    }

    case registered(RecordID)
    case unregistered
    /// The request to take the device out of the registry failed. That is as good as a success for a log-out: a device
    /// token that is dead leaves the registry by itself.
    case unregisteredWithoutAnswer(FetchError)
    case nothingToDo(Reason)
    case failed(Failure)

    public var isSuccess: Bool {
        if case .failed = self { false } else { true }
    }
}

/// What the app may want to know of its registration beside the results. No device token is in it.
public enum RegistrationEvent: Hashable, Sendable {
    /// Each end of a try, also of one that nobody waits for.
    case ended(RegistrationResult)
    /// The types of the CRM's notices, as they are after a registration.
    case notificationTypes([NotificationType])
    /// They could not be fetched; the registration stands.
    case notificationTypesFailed(FetchError)
    /// The storage did not take the id. It is known until the process ends, and a later registration brings it again.
    case notSaved(errorType: String)
}
