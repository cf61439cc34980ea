public import PushDispatch

/// The calls to the CRM that a `PushRegistration` makes. `RESTClient` implements them.
public protocol DeviceRegistrar: Sendable {
    /// - Returns: The registration's id.
    func register(_ device: DeviceRegistration, timeoutMilliseconds: Int64) async throws(FetchError) -> RecordID

    func unregister(_ id: RecordID, timeoutMilliseconds: Int64) async throws(FetchError)

    func notificationTypes(timeoutMilliseconds: Int64) async throws(FetchError) -> [NotificationType]
}

extension RESTClient: DeviceRegistrar {}
