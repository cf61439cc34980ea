import APNSModel
import APNSProvider
import Doctor
import Foundation
import GatewayTesting
import ProviderToken

@testable import DoctorProbes

/// The results of a run.
struct Examined: Sendable {
    var results: [DoctorResult] = []
    var summary = DoctorSummary()

    subscript(check: String) -> DoctorState? { results.first { $0.check == check }?.state }

    func message(_ check: String) -> String {
        results.first { $0.check == check }.map { "\($0.message) | \($0.next)" } ?? "there is no \(check)"
    }

    /// The checks that failed.
    var failed: [String] { results.filter { $0.state == .fail }.map(\.check) }

    /// Runs the checks on a thread of its own, because a run blocks its thread.
    init(_ settings: ExaminationSettings, checks: [DoctorCheck] = DoctorCheck.all) async {
        self = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var examined = Examined()
                var examination = Examination(settings, checks: checks)
                examined.summary = examination.run { examined.results.append($0) }
                continuation.resume(returning: examined)
            }
        }
    }

    private init() {}
}

extension ExaminationSettings {
    static var machineSeconds: Int64 { Int64(Date().timeIntervalSince1970) }

    /// For a gateway with the key that it knows.
    ///
    /// - Parameter key: The path of the key, in a folder where provider tokens may be kept.
    init(_ gateway: TestGateway, key: String) {
        self.init(
            identity: .key(.file(path: key), keyID: nil, teamID: gateway.teamID.value),
            gateway: gateway.configuration.gateway, now: { ExaminationSettings.machineSeconds })
        trust = gateway.configuration.trust
        proxy = .none
        topic = gateway.topic.value
        tokenFolder = (key as NSString).deletingLastPathComponent + "/tokens"
    }
}

/// A gateway, and the settings of a run against it.
func withExamination(
    environment: APNSEnvironment = .sandbox, clock: TestGateway.Clock = .real, contested: [String: String] = [:],
    devices: TestGateway.DevicePolicy = .strict,
    _ body: (TestGateway, ExaminationSettings) async throws -> Void
) async throws {
    try await withGateway(
        device: deviceToken, environment: environment, devices: devices, clock: clock, contested: contested
    ) { gateway in
        try await gateway.withFiles { _, key in try await body(gateway, ExaminationSettings(gateway, key: key)) }
    }
}

let deviceToken = String(repeating: "0f", count: 32)
