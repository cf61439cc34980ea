import EventDelivery
import Personalization
import PushDispatch

/// The network between an app's process and the service. It carries the requests of the real library, loses and delays them in
/// both directions, and delivers some twice.
///
/// A request that is under way arrives whatever becomes of the process, or of the task that waits for its answer.
///
/// @unchecked: only the thread of the simulation uses it.
final class ShopNetwork: DecisionTransport, @unchecked Sendable {
    private unowned let device: ShopDevice
    private unowned let run: ShopRun
    private let clock: ProcessClock
    /// The events of the request; nil for a decision request.
    private let events: [EventID]?

    init(_ device: ShopDevice, _ clock: ProcessClock, events: [EventID]? = nil) {
        self.device = device
        run = device.run
        self.clock = clock
        self.events = events
    }

    private final class Answer: @unchecked Sendable { var reply: DecisionHTTPReply? }

    func send(_ request: DecisionHTTPRequest) async throws(DecisionError) -> DecisionHTTPReply {
        guard clock.isRunning else { throw ShopNetwork.stopped }
        if events == nil { device.audit.asks() }
        run.count(events == nil ? .decisionRequest : .eventRequest)
        guard device.isOnline else { throw ShopNetwork.offline }
        let now = clock.now()
        let deadline = now.advanced(byMilliseconds: request.withinMilliseconds)
        let (there, back) = (trip(), trip())
        let answer = Answer()
        if let milliseconds = there {
            deliver(request, after: milliseconds) { answer.reply = $0 }
            if run.injectsFault(run.settings.doubledPercent) {
                run.count(.requestDoubled)
                deliver(request, after: milliseconds + Int64(run.number(below: 60_000))) { _ in }
            }
        }
        let arrival = there.flatMap { there in back.map { now.advanced(byMilliseconds: there + $0) } }
        // A connection that breaks is noticed at once, or not before the limit.
        let end = arrival ?? (run.chance(50) ? now.advanced(byMilliseconds: 20) : deadline)
        do {
            try await clock.sleep(until: min(end, deadline))
        } catch {
            throw ShopNetwork.stopped
        }
        guard clock.isRunning else { throw ShopNetwork.stopped }
        guard let arrival, arrival <= deadline else {
            if end >= deadline { throw DecisionError(.timeout, "no answer in time") }
            throw ShopNetwork.offline
        }
        guard device.isOnline, let reply = answer.reply else { throw ShopNetwork.offline }
        return reply
    }

    private func deliver(
        _ request: DecisionHTTPRequest, after milliseconds: Int64, _ take: @escaping (DecisionHTTPReply) -> Void
    ) {
        run.timeline.after(milliseconds) { [run, device, events] in
            take(run.service.answer(request, events, of: device))
        }
    }

    /// The time of one direction; nil if the message is lost.
    private func trip() -> Int64? {
        if run.injectsFault(run.settings.lostPercent) {
            run.count(.messageLost)
            return nil
        }
        if run.injectsFault(run.settings.slowPercent) {
            run.count(.messageLate)
            return Int64(3_000 + run.number(below: 30_000))
        }
        return Int64(5 + run.number(below: 200))
    }

    static let stopped = DecisionError(.cancelled, "the task or the process has ended")
    static let offline = DecisionError(.network, "no connection")
}

/// The library's transport for events on this network.
struct ShopTransport: EventTransport {
    let device: ShopDevice
    let clock: ProcessClock
    let configuration: PersonalizationConfiguration

    func send(_ batch: EventBatch) async -> TransportAnswer {
        guard clock.isRunning else { return .noAnswer }
        device.audit.sends(batch.events)
        let http = ShopNetwork(device, clock, events: batch.events.map(\.id))
        let answer = await PersonalizationEventTransport(configuration, http: http, wall: { [device] in device.wall })
            .send(batch)
        if clock.isRunning { device.run.trace("\(device.name) gets \(answer) for \(batch.events.count) events") }
        return answer
    }
}
