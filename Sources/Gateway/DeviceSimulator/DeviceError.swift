/// Why a simulated device cannot go on.
public struct DeviceError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// Nobody answers at the control port, or not in HTTP.
        case unreachable
        /// The gateway said no; trying again brings the same.
        case refused
        /// The gateway knows no such device; another one that was started in its place does not.
        case unknownDevice
        /// The connection ended; the device comes back by itself.
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
