/// Why a simulated device cannot go on.
public struct DeviceError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// Nothing answers at the control port, or not with HTTP.
        case unreachable
        /// The host of the control port has no address.
        case unknownHost
        /// The gateway refused; another attempt gets the same answer.
        case refused
        /// The gateway wants a control token, or another one.
        case unauthorized
        /// The gateway does not have the device, for example because it was restarted.
        case unknownDevice
        /// The answer has more bytes than the caller takes; another attempt gets the same answer.
        case tooLarge
        /// The connection ended; the device reconnects by itself.
        case disconnected
    }

    public var code: Code
    public var detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { detail }
}
