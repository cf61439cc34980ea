import ArgumentParser
import GatewayConfiguration
import GatewayJSON

extension ArgumentReading {
    /// A number of bytes from 1.
    static func bytes(_ text: String) throws -> Int {
        guard let bytes = ByteCountText.bytes(of: text), bytes > 0 else {
            throw ValidationError("it must be \(ByteCountText.form)")
        }
        return bytes
    }

    /// How long a gateway takes to stop at most.
    static func grace(_ text: String) throws -> Duration {
        guard let grace = GatewayDurationText.grace(text) else {
            throw ValidationError("it must be \(GatewayDurationText.graceForm)")
        }
        return grace
    }

    static func origin(_ text: String) throws -> WebOrigin {
        guard let origin = WebOrigin(text) else { throw ValidationError("it must be \(WebOrigin.form)") }
        return origin
    }
}
