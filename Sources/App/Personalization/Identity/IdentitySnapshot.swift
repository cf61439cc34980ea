/// Who uses the app at one moment, as a decision service knows them.
public struct IdentitySnapshot: Hashable, Sendable {
    /// The id of this installation.
    public var deviceID: String
    /// The id that decisions are asked for: the device's, unless the app has set another one.
    public var individualID: String
    /// Nil for an anonymous person.
    public var userID: String?
    /// The part of the service that keeps this person's data.
    public var dataSpace: String
    /// Changes with each log-in as another person and with each log-out, so that an answer to an earlier person's request
    /// can be recognised.
    public var generation: Int

    public init(
        deviceID: String, individualID: String? = nil, userID: String? = nil, dataSpace: String = "default",
        generation: Int = 0
    ) {
        self.deviceID = deviceID
        self.individualID = individualID ?? deviceID
        self.userID = userID
        self.dataSpace = dataSpace
        self.generation = generation
    }
}
