import EventDelivery
import EventDeliverySQLite
import Foundation

/// What the measures share.
enum Bench {
    static let stores: [(name: String, make: @Sendable (String) -> any EventStore)] = [
        ("sqlite", { SQLiteEventStore(file: $0) }), ("file", { FileEventStore(file: $0) }),
    ]

    /// A new folder for a measure, which is removed afterwards.
    static func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("event-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder.appendingPathComponent("events").path)
    }

    /// An event of a usual size.
    static func event(_ stamp: EventStamp) -> CapturedEvent {
        let body = """
            {"eventId":"\(stamp.id)","dateTime":"\(stamp.time)","deviceId":"5e1d7a90c4b2f836","sessionId":"b7a1c4d2e9f04411",\
            "category":"Engagement","channel":"mobile","eventType":"catalog","interactionName":"catalog-object-view-start",\
            "personalizationId":"0d9c1f34-5b7e-4c1a-9a1e-77c1f0a2b3d4"}
            """
        return CapturedEvent(stamp, kind: "catalog", to: "service", body: Array(body.utf8))
    }

    static func policy() -> DestinationPolicy {
        var policy = DestinationPolicy()
        policy.limits.maximumEvents = 200_000
        policy.limits.maximumBytes = 256 << 20
        policy.batch.maximumEvents = 500
        policy.flush.count = .max
        policy.flush.intervalMilliseconds = 86_400_000
        policy.flush.atStart = false
        return policy
    }

    static func print(_ measure: String, _ value: Double, _ unit: String, limit: Double?, isUpper: Bool = true) {
        let holds = limit.map { isUpper ? value <= $0 : value >= $0 } ?? true
        let number = String(format: "%.1f", value)
        let bound = limit.map { String(format: "%.1f", $0) } ?? "null"
        Swift.print(
            #"{"measure":"\#(measure)","value":\#(number),"unit":"\#(unit)","limit":\#(bound),"holds":\#(holds)}"#)
    }

    /// The most memory that this process has used, in MiB; 0 where the system does not say.
    static func peakMemory() -> Double { memory("VmHWM:") }

    static func currentMemory() -> Double { memory("VmRSS:") }

    private static func memory(_ name: String) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
            let kibibytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Double($0) })
        else { return 0 }
        return kibibytes / 1_024
    }

    /// What all threads of this process have used.
    static func processorNanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    static func nanoseconds() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
}
