public import APNSModel
import GatewayCore

/// The effect of a fault rule on the requests that it hits. docs/faults.md describes each.
public struct GatewayFault: Hashable, Sendable {
    let effect: FaultEffect

    /// Whether a request that gets no answer was judged. With `before` nothing is accepted; with `after` the notification may
    /// be delivered, and the sender cannot know.
    public enum Moment: Hashable, Sendable {
        case before, after

        var moment: FaultEffect.Moment { self == .before ? .before : .after }
    }

    /// How long something is delayed.
    public struct Delay: Hashable, Sendable {
        let delay: FaultDelay

        public static func fixed(_ time: Duration) -> Delay { Delay(delay: .fixed(milliseconds(time))) }

        /// A random delay in the range, equally distributed.
        public static func uniform(_ range: ClosedRange<Duration>) -> Delay {
            Delay(delay: .uniform(milliseconds(range.lowerBound)...milliseconds(range.upperBound)))
        }

        /// A random delay: half of them are below `median`; `sigma`, 0 to 5, is the standard deviation of the logarithm.
        public static func logNormal(median: Duration, sigma: Double) -> Delay {
            let range = FaultDelay.sigmaRange
            let bounded = min(max(sigma, range.lowerBound), range.upperBound)
            return Delay(delay: .logNormal(median: milliseconds(median), sigma: bounded))
        }

        /// The delay never ends.
        public static let never = Delay(delay: .never)

        private static func milliseconds(_ time: Duration) -> Int64 {
            let range = FaultDelay.range
            return min(max(time.wholeNanoseconds / 1_000_000, range.lowerBound), range.upperBound)
        }
    }

    // MARK: Answers

    /// This answer instead of a verdict.
    ///
    /// - Parameter streams: The new stream limit of the connection, until a request with good credentials raises it.
    public static func refuse(_ reason: Reason, streams: UInt32? = nil) -> GatewayFault {
        GatewayFault(effect: .refuse(reason, streams: streams))
    }

    /// The request is judged when it comes, and its answer is delayed.
    public static func delay(_ delay: Delay) -> GatewayFault { GatewayFault(effect: .delay(delay.delay)) }

    /// The same with a fixed delay.
    public static func delay(_ time: Duration) -> GatewayFault { delay(.fixed(time)) }

    /// No answer; the stream stays open.
    public static func silence(_ moment: Moment = .before) -> GatewayFault {
        GatewayFault(effect: .silence(moment.moment))
    }

    /// The head of the answer is sent at once, and its end after the delay.
    public static func slowBody(_ delay: Delay) -> GatewayFault { GatewayFault(effect: .slowBody(delay.delay)) }

    // MARK: Streams and connections

    /// RST_STREAM with this code; 7 is REFUSED_STREAM.
    public static func reset(code: UInt32 = 7, _ moment: Moment = .before) -> GatewayFault {
        GatewayFault(effect: .reset(code: code, moment.moment))
    }

    /// The last stream of a GOAWAY: requests up to it are still answered.
    public enum LastStream: Hashable, Sendable {
        /// The stream of the request that was hit.
        case this
        /// The stream before it, so that the request is not processed.
        case previous
        /// Every stream, including those that have not begun.
        case all
    }

    /// When the connection closes after a GOAWAY.
    public enum Closing: Hashable, Sendable {
        case never
        /// Once all requests up to the last stream are answered.
        case whenDone
        case now
    }

    /// A GOAWAY.
    ///
    /// - Parameter isTwice: Whether a GOAWAY for all streams is sent before it.
    public static func goAway(
        _ reason: Reason = .shutdown, lastStream: LastStream = .this, isTwice: Bool = false,
        closing: Closing = .whenDone
    ) -> GatewayFault {
        let last: GoAwayFault.LastStream =
            switch lastStream {
            case .this: .this
            case .previous: .previous
            case .all: .all
            }
        let end: GoAwayFault.Closing =
            switch closing {
            case .never: .never
            case .whenDone: .whenDone
            case .now: .now
            }
        return GatewayFault(
            effect: .goAway(GoAwayFault(reason: reason, lastStream: last, isTwice: isTwice, closing: end)))
    }

    /// The connection ends without a GOAWAY.
    ///
    /// - Parameter isReset: With TCP's RST.
    public static func disconnect(_ moment: Moment = .before, isReset: Bool = false) -> GatewayFault {
        GatewayFault(effect: .disconnect(moment.moment, isReset: isReset))
    }

    /// The gateway stops reading from the connection and writing to it; it stays open.
    public static func halfOpen(_ moment: Moment = .before) -> GatewayFault {
        GatewayFault(effect: .halfOpen(moment.moment))
    }

    /// SETTINGS with this limit, which stays until another rule changes it.
    public static func maximumConcurrentStreams(_ limit: UInt32) -> GatewayFault {
        GatewayFault(effect: .maximumConcurrentStreams(limit))
    }

    /// How many bytes of a body may come before the sender has to wait; 0 closes the window.
    ///
    /// - Parameter time: How long it lasts; nil until the rule is removed.
    public static func window(_ bytes: UInt32, for time: Delay? = nil) -> GatewayFault {
        GatewayFault(
            effect: .window(WindowFault(bytes: min(bytes, UInt32(WindowFault.range.upperBound)), time: time?.delay)))
    }

    /// TLS of a new connection begins after the delay. It hits connections, so it takes no match.
    public static func slowAccept(_ delay: Delay) -> GatewayFault { GatewayFault(effect: .slowAccept(delay.delay)) }

    // MARK: Devices

    /// Accepted, and never delivered.
    public static let lose = GatewayFault(effect: .lose)

    /// Accepted once and delivered this many times, 2 to 100.
    public static func duplicate(_ copies: Int = 2) -> GatewayFault {
        let range = FaultEffect.copies
        return GatewayFault(effect: .duplicate(min(max(copies, range.lowerBound), range.upperBound)))
    }

    /// The device goes offline before the delivery.
    ///
    /// - Parameter time: When it comes back; nil if it does not come back by itself.
    public static func offline(for time: Delay? = nil) -> GatewayFault {
        GatewayFault(effect: .offline(time?.delay))
    }

    /// The app is removed from the device, and sends are still accepted until the gateway learns of it.
    public static func uninstall(noticedAfter delay: Delay) -> GatewayFault {
        GatewayFault(effect: .uninstall(noticedAfter: delay.delay))
    }
}
