/// Why a client cannot subscribe or wait.
package enum SubscriptionError: Error {
    case noDevice
    /// There are too many already, or the world has ended.
    case tooMany
    /// The gateway stopped or the world was removed before the answer was certain.
    case cutShort
}
