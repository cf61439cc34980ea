public import APNSModel
import GatewayCore

/// What goes wrong for the requests that a fault rule hits. docs/faults.md describes each.
public struct GatewayFault: Hashable, Sendable {
    let effect: FaultEffect

    /// Whether a request that gets no answer was judged: before it, nothing is accepted; after it, it may be delivered,
    /// and the sender cannot know.
    public enum Moment: Hashable, Sendable {
        case before, after

        var moment: FaultEffect.Moment { self == .before ? .before : .after }
    }

    /// How long something is held back.
    public struct Delay: Hashable, Sendable {
        let delay: FaultDelay

        public static func fixed(_ time: Duration) -> Delay { Delay(delay: .fixed(milliseconds(time))) }

        /// Every length in the range is as likely as any other.
        public static func uniform(_ range: ClosedRange<Duration>) -> Delay {
            Delay(delay: .uniform(milliseconds(range.lowerBound)...milliseconds(range.upperBound)))
        }

        /// Half of the lengths are below `median`; `sigma`, 0 to 5, is the standard deviation of the logarithm.
        public static func logNormal(median: Duration, sigma: Double) -> Delay {
            let range = FaultDelay.sigmaRange
            let bounded = min(max(sigma, range.lowerBound), range.upperBound)
            return Delay(delay: .logNormal(median: milliseconds(median), sigma: bounded))
        }

        /// It has no end.
        public static let never = Delay(delay: .never)

        private static func milliseconds(_ time: Duration) -> Int64 {
            let range = FaultDelay.range
            return min(max(time.wholeNanoseconds / 1_000_000, range.lowerBound), range.upperBound)
        }
    }

    // MARK: Answers

    /// This answer in place of a verdict.
    ///
    /// - Parameter streams: How many streams the connection may have from then on until it proves itself again.
    public static func refuse(_ reason: Reason, streams: UInt32? = nil) -> GatewayFault {
        GatewayFault(effect: .refuse(reason, streams: streams))
    }

    /// The request is judged when it comes, and its answer held back.
    public static func delay(_ delay: Delay) -> GatewayFault { GatewayFault(effect: .delay(delay.delay)) }

    /// As above, by always the same time.
    public static func delay(_ time: Duration) -> GatewayFault { delay(.fixed(time)) }

    /// No answer; the stream stays open.
    public static func silence(_ moment: Moment = .before) -> GatewayFault {
        GatewayFault(effect: .silence(moment.moment))
    }

    /// The head of the answer goes at once, and its end after that time.
    public static func slowBody(_ delay: Delay) -> GatewayFault { GatewayFault(effect: .slowBody(delay.delay)) }

    // MARK: Streams and connections

    /// RST_STREAM with this code; 7 is REFUSED_STREAM.
    public static func reset(code: UInt32 = 7, _ moment: Moment = .before) -> GatewayFault {
        GatewayFault(effect: .reset(code: code, moment.moment))
    }

    /// The last stream that a GOAWAY leaves to be answered.
    public enum LastStream: Hashable, Sendable {
        /// That of the request which was hit.
        case this
        /// The one before it, so that the request is surely not processed.
        case previous
        /// Every stream, also those that have not begun.
        case all
    }

    /// What becomes of the connection after a GOAWAY.
    public enum Closing: Hashable, Sendable {
        case never
        /// Once all that is owed is answered.
        case whenDone
        case now
    }

    /// - Parameter isTwice: Whether one that leaves all streams goes ahead of it.
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

    /// Nothing is read from the connection or written to it any more, and it stays open.
    public static func halfOpen(_ moment: Moment = .before) -> GatewayFault {
        GatewayFault(effect: .halfOpen(moment.moment))
    }

    /// SETTINGS with this limit, which stays until another rule changes it.
    public static func maximumConcurrentStreams(_ limit: UInt32) -> GatewayFault {
        GatewayFault(effect: .maximumConcurrentStreams(limit))
    }

    /// How many bytes of a body may come before it waits; 0 shuts the window.
    ///
    /// - Parameter time: Until it is as before; nil until the rule is removed.
    public static func window(_ bytes: UInt32, for time: Delay? = nil) -> GatewayFault {
        GatewayFault(
            effect: .window(WindowFault(bytes: min(bytes, UInt32(WindowFault.range.upperBound)), time: time?.delay)))
    }

    /// TLS of a new connection begins after that time. It hits connections, so it takes no match.
    public static func slowAccept(_ delay: Delay) -> GatewayFault { GatewayFault(effect: .slowAccept(delay.delay)) }

    // MARK: Devices

    /// Accepted, and never delivered.
    public static let lose = GatewayFault(effect: .lose)

    /// Accepted once and delivered so many times, 2 to 100.
    public static func duplicate(_ copies: Int = 2) -> GatewayFault {
        let range = FaultEffect.copies
        return GatewayFault(effect: .duplicate(min(max(copies, range.lowerBound), range.upperBound)))
    }

    /// The device goes offline before it is reached.
    ///
    /// - Parameter time: Until it is back; nil until it is brought back.
    public static func offline(for time: Delay? = nil) -> GatewayFault {
        GatewayFault(effect: .offline(time?.delay))
    }

    /// The app goes from the device, and sends are still accepted until the gateway learns of it.
    public static func uninstall(noticedAfter delay: Delay) -> GatewayFault {
        GatewayFault(effect: .uninstall(noticedAfter: delay.delay))
    }
}
