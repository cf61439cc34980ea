import ConfigurationText
import PayloadLint

// A configuration of the validator, and a file of rules to ignore.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzYAML(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
    var resolver = SettingsResolver(currentFolder: "/project") { path in
        path == "/project/.apns-validate.yaml" ? .bytes(bytes) : .absent
    }
    _ = resolver.settings(for: "push.json")
    for error in resolver.takeErrors() { precondition(!error.description.isEmpty, "an error says nothing") }
    _ = SidecarReader.read(bytes, name: "push.json.apns-validate.yaml")
    return 0
}
