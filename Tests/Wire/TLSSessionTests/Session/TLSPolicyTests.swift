import COpenSSL
import Testing

@testable import TLSSession

struct TLSPolicyTests {
    @Test func `no context resumes, renegotiates or compresses`() throws {
        let credentials = try Credentials()
        for context in [try credentials.clientContext(), try credentials.serverContext()] {
            let options = SSL_CTX_get_options(context.handle.raw)
            for option in [COpenSSL_OP_NO_TICKET, COpenSSL_OP_NO_RENEGOTIATION, COpenSSL_OP_NO_COMPRESSION] {
                #expect(options & option == option)
            }
            #expect(SSL_CTX_get_num_tickets(context.handle.raw) == 0)
            #expect(SSL_CTX_ctrl(context.handle.raw, SSL_CTRL_GET_SESS_CACHE_MODE, 0, nil) == Int(SSL_SESS_CACHE_OFF))
        }
    }

    @Test(arguments: TLSVersion.allCases) func `only AEAD ciphers with ephemeral keys are used`(
        version: TLSVersion
    ) throws {
        let credentials = try Credentials()
        let server = try credentials.serverContext(version: version)
        let pair = try Pair(client: try credentials.clientContext(), server: server)
        try pair.exchange()
        let cipher = pair.client.session.cipher
        #expect(cipher.contains("GCM") || cipher.contains("CHACHA20"), "\(cipher)")
        #expect(cipher.hasPrefix(version == .tls13 ? "TLS_" : "ECDHE-"), "\(cipher)")
    }
}
