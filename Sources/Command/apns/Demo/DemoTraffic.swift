import OrgSimulator
import Synchronization
import ServiceHost

/// The calls to the org, and the bytes of their requests and answers.
struct DemoTraffic: Hashable, Sendable {
    var requests = 0
    var bytes = 0

    static func - (left: DemoTraffic, right: DemoTraffic) -> DemoTraffic {
        DemoTraffic(requests: left.requests - right.requests, bytes: left.bytes - right.bytes)
    }

    static func * (traffic: DemoTraffic, times: Int) -> DemoTraffic {
        DemoTraffic(requests: traffic.requests * times, bytes: traffic.bytes * times)
    }

    static func + (left: DemoTraffic, right: DemoTraffic) -> DemoTraffic {
        DemoTraffic(requests: left.requests + right.requests, bytes: left.bytes + right.bytes)
    }

    var text: String {
        "\(requests) \(requests == 1 ? "request" : "requests"), \(DemoTraffic.grouped(bytes)) bytes"
    }

    /// A number with a comma between groups of three digits.
    static func grouped(_ number: Int) -> String {
        var text = ""
        for (place, digit) in String(number).reversed().enumerated() {
            if place > 0, place.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}

/// Counts the calls that an org answers.
final class DemoMeter: Sendable {
    private let sum = Mutex(DemoTraffic())
    private let refused = Mutex(0)

    func count(_ call: OrgServer.Call) {
        sum.withLock {
            $0.requests += 1
            $0.bytes += call.requestBytes + call.replyBytes
        }
        if call.status == 401 { refused.withLock { $0 += 1 } }
    }

    var total: DemoTraffic { sum.withLock { $0 } }

    /// Calls whose access token was refused.
    var refusedCount: Int { refused.withLock { $0 } }
}
