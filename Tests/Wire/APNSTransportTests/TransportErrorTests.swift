import TLSSession
import Testing

@testable import APNSTransport

struct TransportErrorTests {
    @Test(arguments: [42, 43, 44, 45, 46, 48, 116] as [UInt8])
    func `an alert about the certificate ends the handshake for good`(alert: UInt8) {
        let error = TLSError(.peerAlert, "refused", alert: alert)
        #expect(error.refusesCertificate)
        let transport = TransportError(error, isHandshake: error.refusesCertificate)
        #expect(transport.code == .handshakeFailed && transport.isPermanent && transport.refusesCertificate)
    }

    @Test(arguments: [0, 10, 20, 80] as [UInt8])
    func `any other alert on an open connection does not`(alert: UInt8) {
        let error = TLSError(.peerAlert, "ended", alert: alert)
        #expect(!error.refusesCertificate)
        let transport = TransportError(error, isHandshake: error.refusesCertificate)
        #expect(transport.code == .protocolViolation && !transport.isPermanent && !transport.refusesCertificate)
    }

    @Test func `an error of this side is no refusal`() {
        #expect(!TLSError(.badCertificate, "unreadable").refusesCertificate)
        #expect(!TLSError(.peerAlert, "unknown").refusesCertificate)
    }
}
