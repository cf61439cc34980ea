public import APNSModel
import GatewayCore
import GatewayServer

/// Which requests a fault rule is for. A field that is not named may have any value.
public struct FaultMatch: Hashable, Sendable {
    /// The device token in hexadecimal digits.
    public var device: String?
    public var topic: String?
    public var pushType: PushType?

    public init(device: String? = nil, topic: String? = nil, pushType: PushType? = nil) {
        self.device = device
        self.topic = topic
        self.pushType = pushType
    }

    /// Every request.
    public static let any = FaultMatch()

    public static func device(_ device: TestDevice) -> FaultMatch { FaultMatch(device: device.hex) }
}

/// A fault rule of a test gateway.
public struct TestFault: Sendable {
    let id: String
    let gateway: TestGateway

    /// How many requests it has hit. Nil once it is used up or removed.
    public var uses: Int? { gateway.running.faults.first { $0.id == id }?.used }

    /// Does nothing to one that is used up or removed.
    public func remove() { _ = gateway.running.removeFault(id) }
}

extension TestGateway {
    /// Adds a fault rule.
    ///
    /// ```swift
    /// try gateway.add(.refuse(.tooManyRequests))  // the next one
    /// try gateway.add(.delay(.seconds(2)), to: .device(device), count: nil)  // all to this device
    /// ```
    ///
    /// - Parameters:
    ///   - count: How many requests it hits before it ends; nil for any number.
    ///   - probability: How likely a request that matches is hit, 0 to 1. The gateway's seed decides.
    ///   - time: How long it stays by the gateway's clock; nil until it is removed.
    @discardableResult
    public func add(
        _ fault: GatewayFault, to match: FaultMatch = .any, count: Int? = 1, probability: Double = 1,
        for time: Duration? = nil
    ) throws -> TestFault {
        if let count, count < 1 { throw TestGatewayError("a fault that hits \(count) requests does nothing") }
        guard (0...1).contains(probability) else {
            throw TestGatewayError("the probability is \(probability); it has to be 0 to 1")
        }
        guard !fault.effect.isForConnections || match == .any else {
            throw TestGatewayError("slowAccept hits new connections, before any request, so it takes no match")
        }
        let rule = FaultRule(
            fault.effect,
            match: FaultRule.Match(
                token: try match.device.map { try TestGateway.token($0) }, topic: match.topic,
                pushType: match.pushType?.rawValue),
            probability: probability, count: count,
            until: time.map { running.now + $0.wholeNanoseconds / 1_000_000 })
        do throws(RegistrationError) {
            return TestFault(id: try running.add(rule).id, gateway: self)
        } catch {
            throw TestGatewayError(error.description)
        }
    }

    /// Removes all fault rules and ends their lasting effects, such as a closed flow-control window.
    public func removeFaults() { running.removeFaults() }
}
