import EventDelivery
import Personalization
import PushDispatch

/// Carries the requests of the real library over a network with faults.
///
/// @unchecked: only the thread of the simulation uses it.
final class ShopNetwork: DecisionTransport, @unchecked Sendable {
    private unowned let device: ShopDevice
    private let clock: ProcessClock
    /// The events of the request; nil for a decision request.
    private let events: [EventID]?

    init(_ device: ShopDevice, _ clock: ProcessClock, events: [EventID]? = nil) {
        self.device = device
        self.clock = clock
        self.events = events
    }

    func send(_ request: DecisionHTTPRequest) async throws(DecisionError) -> DecisionHTTPReply {
        let run = device.run
        guard clock.isRunning else { throw DecisionError(.cancelled, "the process has ended") }
        if events == nil { device.audit.asks() }
        run.count(events == nil ? .decisionRequest : .eventRequest)
        let network = LossyNetwork(run: run, clock: clock, isOnline: { [device] in device.isOnline })
        do throws(LossyNetwork.Failure) {
            return try await network.send(withinMilliseconds: request.withinMilliseconds) { [device, events] in
                device.run.service.answer(request, events, of: device)
            }
        } catch {
            switch error {
            case .stopped: throw DecisionError(.cancelled, "the task or the process has ended")
            case .offline: throw DecisionError(.network, "no connection")
            case .timeout: throw DecisionError(.timeout, "no answer in time")
            }
        }
    }
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
        let transport = PersonalizationEventTransport(
            configuration, http: http, wallClock: { [device] in device.wallTime })
        let answer = await transport.send(batch)
        if clock.isRunning { device.run.trace("\(device.name) gets \(answer) for \(batch.events.count) events") }
        return answer
    }
}
