import APNSModel
import APNSPayload
import ArgumentParser
import PayloadLint

/// What a shell completes values with.
extension CompletionKind {
    static var pushTypes: CompletionKind { .list(PushType.known.map(\.rawValue)) }
    static var rules: CompletionKind { .list(RuleCatalog.all.map(\.id)) }
    static var environments: CompletionKind { .list(APNSEnvironment.allCases.map(\.rawValue)) }
    static var priorities: CompletionKind { .list(["10", "5", "1"]) }
    static var pem: CompletionKind { .file(extensions: ["pem", "crt", "cer"]) }
    /// Names of gateways that run now, for an option that takes `local` too.
    static var gateways: CompletionKind { .custom { _, _, _ in LocalGatewayName.completions } }
}
