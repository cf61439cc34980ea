import APNSModel
import DeviceSimulator
import Foundation
import OrgSimulator
import PushDispatch

/// The registration of a simulated device with a simulated org, as an app does after log-in.
///
/// Only for an org on this machine over plain HTTP: a real one must not get device tokens that no device has.
struct OrgRegistration: Sendable {
    private let client: ControlClient
    private let bundleID: String

    /// - Returns: Nil for an org that is not simulated, or a device that is not logged in.
    init?(_ org: SimulatedDevice.Org, _ topic: Topic) {
        guard !org.accessToken.isEmpty,
            let endpoint = ControlEndpoint(url: org.instance.absoluteString, token: org.accessToken)
        else { return nil }
        client = ControlClient(endpoint: endpoint)
        bundleID = topic.bundleID
    }

    /// Prints an error on stderr. The device continues without the registration.
    func register(_ token: DeviceToken) async {
        let body: JSONValue = [
            "ConnectionToken": .string(token.hex), "ServiceType": "Apple", "ApplicationBundle": .string(bundleID),
        ]
        do {
            let path = "/services/data/\(OrgEndpoint.version)/sobjects/MobilePushServiceDevice"
            let response = try await client.call(method: "POST", path, body: body.compactBytes)
            guard response.status != 201 else { return }
            let errors = (try? JSONReader.read(response.body, limits: .push))?.array
            let code = errors?.first?.object?["errorCode"]?.string ?? "no errorCode"
            Output.standard.note(
                PlainText.safe("the org did not register the device: \(response.status) \(ShownText.cut(code, to: 60))")
            )
        } catch let error as DeviceError {
            let failure = OrgEndpoint.failure(error.code, error.detail, at: client.endpoint)
            Output.standard.note(PlainText.safe("the org did not register the device: \(failure.message)"))
        } catch {
            Output.standard.note(PlainText.safe("the org did not register the device: \(error)"))
        }
    }
}
