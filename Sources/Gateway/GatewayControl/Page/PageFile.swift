import Hummingbird
import NIOCore

/// A file of the inspector page, as the gateway serves it.
///
/// The files are in `Page/Files`. `tools/generate` writes them into `PageFile+All.swift`, so that a gateway serves them
/// from its own binary, without a folder to find or a bundle to ship.
struct PageFile: Hashable, Sendable {
    /// The last component of its path, `/page/NAME`.
    let name: String
    let text: String

    static func == (left: PageFile, right: PageFile) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }

    var contentType: String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }

    /// Forbids content from other origins, inline code, HTML made from strings, and frames around the page, so that the
    /// browser treats whatever a notification contains as text.
    static let securityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    ].joined(separator: "; ")

    var response: Response {
        var headers: HTTPFields = [
            .contentType: contentType, .cacheControl: "no-cache", .contentSecurityPolicy: PageFile.securityPolicy,
            .xContentTypeOptions: "nosniff",
        ]
        for (name, value) in [("referrer-policy", "no-referrer"), ("cross-origin-opener-policy", "same-origin")] {
            if let name = HTTPFields.Element.Name(name) { headers[name] = value }
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
