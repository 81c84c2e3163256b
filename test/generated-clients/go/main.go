// The main story with a client that openapi-generator makes for Go. Arguments: the address of the API and a sandbox key.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"

	paraph "github.com/paraph/client"
)

var (
	client = newClient(os.Args[1], os.Args[2])
	ctx    = context.Background()
)

func newClient(url, key string) *paraph.APIClient {
	configuration := paraph.NewConfiguration()
	configuration.Servers = paraph.ServerConfigurations{{URL: url}}
	configuration.AddDefaultHeader("x-api-key", key)
	return paraph.NewAPIClient(configuration)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func expectEqual[T comparable](found, expected T) {
	if found != expected {
		panic(fmt.Sprintf("expected %v, found %v", expected, found))
	}
}

// Waits until everyone has signed, by long polls.
func untilSigned(id string) paraph.Contract {
	call := client.ContractsAPI.GetContract(ctx, id)
	for {
		answer, response, err := call.Execute()
		if response != nil && response.StatusCode == http.StatusNotModified {
			continue
		}
		check(err)
		if answer.Contract.Status == paraph.SIGNED {
			return answer.Contract
		}
		call = client.ContractsAPI.GetContract(ctx, id).IfNoneMatch(response.Header.Get("ETag")).Prefer("wait=10")
	}
}

// The error that a call is refused with.
func refusalOf(err error) paraph.ApiError {
	var refused *paraph.GenericOpenAPIError
	if !errors.As(err, &refused) {
		panic(fmt.Sprintf("the call was not refused: %v", err))
	}
	var body paraph.ApiError
	check(json.Unmarshal(refused.Body(), &body))
	return body
}

func contractOf(tags ...string) paraph.CreateContract {
	var parties []paraph.PartyInput
	for _, tag := range tags {
		parties = append(parties, *paraph.NewPartyInput(tag, "The "+tag, "signs+"+tag+"@simulator.test"))
	}
	return *paraph.NewCreateContract(parties, paraph.SALES_AGREEMENT, "SALE\n\nA bicycle.")
}

func main() {
	status, _, err := client.AccountAPI.GetStatus(ctx).Execute()
	check(err)
	expectEqual(status.Key.Environment, paraph.SANDBOX)
	created, _, err := client.ContractsAPI.CreateContract(ctx).CreateContract(contractOf("buyer", "seller")).IdempotencyKey("go-1").Execute()
	check(err)
	expectEqual(len(untilSigned(created.Contract.Id).Signatures), 2)
	_, _, err = client.ContractsAPI.GetContract(ctx, "contract-1795183380000-k3v9x2m1q").Execute()
	expectEqual(refusalOf(err).Code, os.Args[3])
	_, _, err = client.ContractsAPI.CreateContract(ctx).CreateContract(contractOf("buyer")).Execute()
	expectEqual(refusalOf(err).Issues[0].Path, "parties")
	fmt.Println("story passed")
}
