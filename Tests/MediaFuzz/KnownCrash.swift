/// A medium that ends the process within libVLC: listed in `KNOWN_ISSUES.md`, and not played.
struct KnownCrash {
    let seed: UInt64
    let name: Mutant.Name
    let reason: String

    static let all: [KnownCrash] = []
}
